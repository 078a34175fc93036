-- How often does a count draw the game?
--
-- One row per rule set, kind of players and population, over all material and all rating bands; take the two lines
-- marked "all" out of WHERE for the finer rows. Nobody knows the true rate where records do not say that a board's
-- honour count was started, so the rate is given as an interval: [rate_low, rate_high] = [proved, proved + possible].
--
--   rule_set        rule set that judged the games
--   player_kind     human, engine, mixed or unknown; engines' games say nothing about people's
--   population      the denominator: games = all, no_bia = games that reached a board without unpromoted bia,
--                   bare_khun = those of these in which a side was left with its khun alone
--   material, band  all, or what the side that must mate had, and the band of the players' mean rating
--   n               games of the population: accepted, from the standard start, with a result, no duplicates
--   draws           draws of any kind among them
--   draws_proved    numerator: the count ran out on the board, or the record says so
--   draws_possible  further draws, declared by the record, that a count could explain
--   rate_low        draws_proved / n
--   rate_high       (draws_proved + draws_possible) / n
--   wilson_low      lower end of the 95 % Wilson interval of rate_low
--   wilson_high     upper end of the 95 % Wilson interval of rate_high
--   left_out        games of the group that are not in n: duplicates, set-up starts, rejected, no result
WITH rates AS (
    SELECT
        *,
        CAST(draws_proved AS DOUBLE) / n AS p,
        CAST(draws_proved + draws_possible AS DOUBLE) / n AS q,
        CAST(n AS DOUBLE) AS m,
        1.959963984540054 AS z
    FROM count_rates
    WHERE n > 0
      AND material = 'all'
      AND band = 'all'
)
SELECT
    rule_set,
    player_kind,
    population,
    material,
    band,
    n,
    draws,
    draws_proved,
    draws_possible,
    p AS rate_low,
    q AS rate_high,
    CASE WHEN draws_proved = 0 THEN 0.0
         ELSE (p + z * z / (2 * m) - z * SQRT(p * (1 - p) / m + z * z / (4 * m * m))) / (1 + z * z / m) END AS wilson_low,
    CASE WHEN draws_proved + draws_possible = n THEN 1.0
         ELSE (q + z * z / (2 * m) + z * SQRT(q * (1 - q) / m + z * z / (4 * m * m))) / (1 + z * z / m) END AS wilson_high,
    left_out_duplicate + left_out_start + left_out_rejected + left_out_no_result AS left_out
FROM rates
ORDER BY
    rule_set,
    player_kind,
    CASE population WHEN 'games' THEN 1 WHEN 'no_bia' THEN 2 ELSE 3 END,
    material,
    band;
