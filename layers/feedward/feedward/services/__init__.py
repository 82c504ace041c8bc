"""Use cases: functions of ports, a folder for each part."""
