"""The template is packaged as it is: folders become addresses, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

from feedward_local.deployment.package import ALARM, FUNCTION, LAYER, packaged, read_template, sources

TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: {Runtime: python3.13, CodeUri: functions/shared, Layers: [!Ref Common]}
Resources:
  Common:
    Type: AWS::Serverless::LayerVersion
    Metadata: {BuildMethod: makefile}
    Properties: {ContentUri: layers/common}
  Own:
    Type: AWS::Serverless::Function
    Metadata: {BuildMethod: makefile, ContextPath: functions}
    Properties: {CodeUri: functions/own, Handler: app.handler, Environment: {Variables: {T: !GetAtt Table.Arn}}}
  Shared:
    Type: AWS::Serverless::Function
    Properties: {Handler: app.handler}
  Remote:
    Type: AWS::Serverless::Function
    Properties: {CodeUri: "s3://elsewhere/code.zip", Handler: app.handler}
  Table: {Type: AWS::DynamoDB::Table}
"""
QUERY = {"Id": "q", "Expression": 'SELECT SUM(SystemErrors) FROM SCHEMA("AWS/DynamoDB", TableName)'}


def read(tmp_path: Path) -> dict[str, object]:
    path = tmp_path / "template.yaml"
    path.write_text(TEMPLATE)
    return read_template(path)


def test_code_folders_are_found_with_their_makefiles_and_through_globals(tmp_path: Path) -> None:
    template = read(tmp_path)
    assert [(one.logical_id, one.folder, one.context) for one in sources(template, FUNCTION)] == [
        ("Own", "functions/own", "functions"),
        ("Shared", "functions/shared", "functions/shared"),
    ]
    assert [(one.logical_id, one.folder) for one in sources(template, LAYER)] == [("Common", "layers/common")]


def test_packaging_replaces_folders_and_nothing_else(tmp_path: Path) -> None:
    template = read(tmp_path)
    ready = packaged(template, {"Own": "s3://b/own.zip", "Common": "s3://b/common.zip"})
    assert ready["Resources"]["Own"]["Properties"].pop("CodeUri") == "s3://b/own.zip"
    assert ready["Resources"]["Common"]["Properties"].pop("ContentUri") == "s3://b/common.zip"
    expected = read(tmp_path)
    expected["Resources"]["Own"]["Properties"].pop("CodeUri")  # type: ignore[index]
    expected["Resources"]["Common"]["Properties"].pop("ContentUri")  # type: ignore[index]
    assert ready == expected
    assert template == read(tmp_path), "the template that was given is left alone"


def test_alarms_on_a_query_are_left_out_for_ministack_refuses_them(tmp_path: Path) -> None:
    template = read(tmp_path)
    template["Resources"] |= {  # type: ignore[operator]
        "Query": {"Type": ALARM, "Properties": {"Metrics": [QUERY]}},
        "Metric": {"Type": ALARM, "Properties": {"MetricName": "Errors"}},
    }

    kept = packaged(template, {})["Resources"]

    assert "Query" not in kept
    assert "Metric" in kept


def test_only_named_handlers_are_replaced(tmp_path: Path) -> None:
    ready = packaged(read(tmp_path), {}, {"Own": "entry.handler"})
    assert ready["Resources"]["Own"]["Properties"]["Handler"] == "entry.handler"
    assert ready["Resources"]["Shared"]["Properties"]["Handler"] == "app.handler"


def test_short_forms_of_intrinsics_are_written_out(tmp_path: Path) -> None:
    variables = read(tmp_path)["Resources"]["Own"]["Properties"]["Environment"]["Variables"]  # type: ignore[index]
    assert variables["T"] == {"Fn::GetAtt": ["Table", "Arn"]}
