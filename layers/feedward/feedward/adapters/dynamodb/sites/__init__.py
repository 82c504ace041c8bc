"""SitesTable: sites, their candidates and their discovery jobs."""
