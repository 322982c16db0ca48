-- The entries of a store, the oldest first.
SELECT promoted AS "promoted||unbroken", entry AS "entry||unbroken", "key" AS "fingerprint||unbroken",
    printf('%.12s', coalesce(nullif("commit", ''), '-')) AS "commit||unbroken",
    printf('%.12s', coalesce(nullif(kernels, ''), '-')) AS "kernels||unbroken",
    coalesce(nullif("set", ''), '-') AS "set||unbroken", shapes AS "shapes||count", visits AS "visits||count",
    device AS "device||unbroken", forced AS "forced||"
FROM entries ORDER BY run
