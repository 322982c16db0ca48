-- What stands above all of a comparison. ?1: what is not compared.
SELECT 'bad' AS kind, unjudged AS text FROM runs WHERE run = 'run'
UNION ALL SELECT 'bad', iif(?1 = '', '', '**Not all is compared**: ' || plain(?1) || '.')
