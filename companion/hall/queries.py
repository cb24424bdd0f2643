"""The longer of the hall's questions to its database."""

from __future__ import annotations

EVENTS = "SELECT id, name, game, pod, smallest, largest, tables, round, over FROM events ORDER BY id DESC"
ONE_EVENT = "SELECT id, name, game, pod, smallest, largest, tables, round, over FROM events WHERE id = %s"
LOCKED_EVENT = "SELECT id, name, game, pod, smallest, largest, tables, round, over FROM events WHERE id = %s FOR UPDATE"
TABLES = """
    SELECT t.*, a.refused, s.event, s.round, s.names
    FROM tables t
    LEFT JOIN (SELECT table_name, count(*) AS refused FROM matches WHERE refused <> '' GROUP BY table_name) a
        ON a.table_name = t.name
    LEFT JOIN LATERAL (
        SELECT e.name AS event, p.round, string_agg(n.name, ', ' ORDER BY l.seat) AS names
        FROM pods p JOIN events e ON e.id = p.event AND e.round = p.round AND NOT e.over
        JOIN places l ON l.event = p.event AND l.round = p.round AND l.pod = p.pod
        JOIN entrants n ON n.event = l.event AND n.id = l.entrant
        WHERE p.table_name = t.name AND p.match IS NULL AND l.points IS NULL
        GROUP BY e.id, e.name, p.round ORDER BY e.id DESC LIMIT 1
    ) s ON true
    WHERE %s::text[] IS NULL OR t.name = ANY(%s)
"""
MATCHES = """
    SELECT m.*, t.title,
      (SELECT coalesce(jsonb_object_agg(seat, jsonb_build_array(score, won)), '{}') FROM results r
       WHERE r.table_name = m.table_name AND r.match = m.id) AS results,
      (SELECT count(*) FROM waiting w WHERE w.table_name = m.table_name AND w.match = m.id) AS early
    FROM matches m JOIN tables t ON t.name = m.table_name
    WHERE (%s::text IS NULL OR m.table_name = %s) AND (%s::text IS NULL OR m.id = %s)
    ORDER BY m.at DESC, m.id DESC LIMIT %s OFFSET %s
"""
PLAYERS = """
    WITH one AS (
        SELECT r.name, m.game, m.at, r.won, r.points / 840.0 AS share
        FROM results r JOIN matches m ON m.table_name = r.table_name AND m.id = r.match
        WHERE r.name !~ '^Seat [0-9]+$' AND (%s = '' OR m.game = %s)
          AND (%s::date IS NULL OR m.at >= %s::date) AND (%s::date IS NULL OR m.at < %s::date + 1)
    ), by_game AS (
        SELECT name, game, count(*) AS played, count(*) FILTER (WHERE won) AS won, sum(share) AS points,
               max(at) AS last
        FROM one GROUP BY name, game
    )
    SELECT name, sum(played)::int AS played, sum(won)::int AS won, sum(points)::float AS points,
           max(last)::date AS last, jsonb_agg(jsonb_build_array(game, won, played) ORDER BY game) AS games
    FROM by_game GROUP BY name
    ORDER BY sum(points) DESC, sum(won) DESC, sum(played), name LIMIT %s
"""
PODS = """
    SELECT p.round, p.pod, p.table_name AS "table", p.match, p.why,
      (SELECT jsonb_agg(jsonb_build_object('seat', l.seat, 'entrant', l.entrant, 'name', n.name, 'score', l.score,
                                           'points', l.points) ORDER BY l.seat)
       FROM places l JOIN entrants n ON n.event = l.event AND n.id = l.entrant
       WHERE l.event = p.event AND l.round = p.round AND l.pod = p.pod) AS places
    FROM pods p WHERE p.event = %s ORDER BY p.round DESC, p.pod = 0, p.pod
"""
ARRIVED = """
    SELECT DISTINCT ON (p.event, p.round, p.pod) p.event, p.round, p.pod, m.table_name, m.id,
      (SELECT jsonb_agg(jsonb_build_array(seat, name, score, points) ORDER BY seat) FROM results r
       WHERE r.table_name = m.table_name AND r.match = m.id) AS results
    FROM pods p JOIN rounds n ON n.event = p.event AND n.n = p.round
    JOIN events e ON e.id = p.event AND NOT e.over AND e.round = p.round
    JOIN matches m ON m.table_name = p.table_name AND m.over AND m.game = e.game AND m.first_seen > n.at
    WHERE p.why = '' AND (p.match IS NULL OR p.match = m.id)
      AND (SELECT count(*) FROM results r WHERE r.table_name = m.table_name AND r.match = m.id)
        = (SELECT count(*) FROM places l WHERE l.event = p.event AND l.round = p.round AND l.pod = p.pod)
    ORDER BY p.event, p.round, p.pod, m.first_seen
"""
SEATINGS = """
    SELECT DISTINCT ON (p.table_name) p.table_name, e.name, e.game, p.round,
      (SELECT jsonb_agg(n.name ORDER BY l.seat) FROM places l JOIN entrants n ON n.event = l.event AND n.id = l.entrant
       WHERE l.event = p.event AND l.round = p.round AND l.pod = p.pod) AS names
    FROM pods p JOIN events e ON e.id = p.event AND NOT e.over AND e.round = p.round
    WHERE p.table_name IS NOT NULL
      AND EXISTS (SELECT 1 FROM places l WHERE l.event = p.event AND l.round = p.round AND l.pod = p.pod
                  AND l.points IS NULL)
    ORDER BY p.table_name, p.event DESC
"""
UNSETTLED = """
    SELECT table_name, id, header, names, through FROM matches
    WHERE due AND settled < through AND changed < now() - make_interval(secs => %s)
    ORDER BY changed LIMIT %s FOR UPDATE SKIP LOCKED
"""
