-- How much was measured, of what and where.
SELECT 'paragraph' AS kind, printf('%d kernels on shapes, %d rows measured again as suspects, ', units, suspects)
    || iif(carried, printf('%d carried over as they were, ', carried), '')
    || printf('%.4g %% of the shapes have an honest kernel.', 100 * coverage) AS text
FROM whole WHERE EXISTS (SELECT 1 FROM gate_rows)
UNION ALL
SELECT label, '`' || plain(text) || '`' FROM facts WHERE label <> '' AND text <> ''
UNION ALL
SELECT 'Inputs while timed', plain(inputs) FROM whole
