-- What was compared.
SELECT 'facts' AS kind, '' AS name, 'what was compared' AS text
UNION ALL
SELECT 'fact', iif(runs.rowid = 1, 'run', 'with'), plain(folder) FROM runs, agree_counted WHERE runs.rowid <= agree_counted.alike
UNION ALL SELECT 'pairs of rows', '', known FROM agree_counted
UNION ALL SELECT 'pairs without an interval in both', '', unknown FROM agree_counted
UNION ALL
SELECT 'rows of one run only', '', printf('%d in the former of two runs, %d in the latter', former, latter) FROM agree_counted
