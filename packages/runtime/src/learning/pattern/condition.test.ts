import { expect, test } from 'vitest'
import { conditionOf, conditions, conditionText } from './condition.ts'

const nothing = { reason_code: null, exit_code: 1, timed_out: false, program: null, lines: [] }

const texts: readonly (readonly [string, string])[] = [
  ['CONFLICT (content): Merge conflict in src/a.js', 'merge_conflict'],
  ['KONFLIKT (Inhalt): Merge-Konflikt in src/a.js', 'merge_conflict'],
  ['error: Committing is not possible because you have unmerged files.', 'merge_conflict'],
  ['fatal: You have not concluded your merge (MERGE_HEAD exists).', 'merge_conflict'],
  ['fatal: cannot switch branch while merging', 'merge_conflict'],
  ['SyntaxError: Unexpected token \'<\', "<<<<<<< HE"... is not valid JSON', 'merge_conflict'],
  ['fatal: You are not currently on a branch.', 'detached_head'],
  ["Error: Cannot find module 'left-pad'", 'missing_dependency'],
  ['there is no package called jsonlite', 'missing_dependency'],
  ["Error: Cannot find module '/home/ada/a.js'", 'missing_file'],
  ["Error: Cannot find module './a.js'", 'missing_file'],
  ["code: 'MODULE_NOT_FOUND',", 'missing_dependency'],
  ["ModuleNotFoundError: No module named 'requests'", 'missing_dependency'],
  ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from /a/b.js", 'missing_dependency'],
  ['Error: listen EADDRINUSE: address already in use :::3000', 'port_in_use'],
  ['OSError: [Errno 98] Address already in use', 'port_in_use'],
  ['bind: Die Adresse wird bereits verwendet', 'port_in_use'],
  ['npm error code E401', 'unauthorized'],
  ['git@host: Permission denied (publickey).', 'unauthorized'],
  ['cp: error writing a: No space left on device', 'disk_full'],
  ['tar: Auf dem Gerät ist kein Speicherplatz mehr verfügbar', 'disk_full'],
  ["Error: EACCES: permission denied, open '/x'", 'permission_denied'],
  ["PermissionError: [Errno 13] Permission denied: 'a'", 'permission_denied'],
  ['mkdir: das Verzeichnis »x« kann nicht angelegt werden: Keine Berechtigung', 'permission_denied'],
  ['tar: Unexpected EOF in archive', 'damaged_archive'],
  ['gzip: stdin: unexpected end of file', 'damaged_archive'],
  ['tar: Unerwartetes Dateiende im Archiv.', 'damaged_archive'],
  ['EOFError: Compressed file ended before the end-of-stream marker was reached', 'damaged_archive'],
  ['tar: „rmtlseek“ nicht an Recordgrenze angehalten', 'damaged_archive'],
  ['xz: a.xz: Unexpected end of input', 'damaged_archive'],
  ['SyntaxError: Unexpected end of input', 'syntax_error'],
  ['SyntaxError: Unexpected end of JSON input', 'invalid_json'],
  ['connect: Die Wartezeit für die Verbindung ist abgelaufen', 'timed_out'],
  ['curl: (28) Operation timed out after 2001 milliseconds with 0 bytes received', 'timed_out'],
  ['TimeoutError: The operation was aborted due to timeout', 'timed_out'],
  ['Zeitüberschreitung bei der Verbindung', 'timed_out'],
  ['connect ECONNREFUSED 127.0.0.1:4873', 'connection_refused'],
  ['curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Could not connect to server', 'connection_refused'],
  ['ssh: connect to host a port 22: Verbindungsaufbau abgelehnt', 'connection_refused'],
  ['getaddrinfo ENOTFOUND registry.example.test', 'unknown_host'],
  ['read ECONNRESET', 'connection_lost'],
  ['SSL certificate problem: self-signed certificate', 'certificate'],
  ['npm error code E404', 'not_published'],
  ['ERROR: No matching distribution found for x==9', 'not_published'],
  ['curl: (22) The requested URL returned error: 404', 'not_on_server'],
  ['curl: (22) The requested URL returned error: 503', 'server_error'],
  ['npm error code ERESOLVE', 'dependency_conflict'],
  ['npm error code EINTEGRITY', 'integrity'],
  ['fatal: not a git repository (or any of the parent directories): .git', 'not_a_repository'],
  ['fatal: Kein Git-Repository (oder irgendein Elternverzeichnis): .git', 'not_a_repository'],
  ["error: pathspec 'x' did not match any file(s) known to git", 'unknown_revision'],
  ['error: Your local changes to the following files would be overwritten by checkout:', 'local_changes'],
  [' ! [rejected]        main -> main (fetch first)', 'push_rejected'],
  ['npm error Missing script: "biuld"', 'missing_script'],
  ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'out_of_memory'],
  ['json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)', 'invalid_json'],
  ['SyntaxError: Unexpected token }', 'syntax_error'],
  ['AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:', 'failed_test'],
  ['FAILED (failures=1)', 'failed_test'],
  ['Fehler: erwartet 19, erhalten 16', 'failed_test'],
  ['bash: line 1: pnpm: command not found', 'missing_command'],
  ['bash: Zeile 1: pnpm: Kommando nicht gefunden.', 'missing_command'],
  ["Error: ENOENT: no such file or directory, open 'dist/a.js'", 'missing_file'],
  ['cat: a.txt: Datei oder Verzeichnis nicht gefunden', 'missing_file'],
]

test.each(texts)('%j is %s', (line, condition) => {
  expect(conditionOf({ ...nothing, lines: [line] })).toBe(condition)
})

test('every condition has a text that is tested, and a sentence', () => {
  expect(conditions.map(({ name }) => name).filter((name) => !texts.some(([, tested]) => tested === name))).toEqual([])
  for (const { name } of conditions) expect(conditionText(name)).toMatch(/^[A-Z].*\.$/)
})

test('the failure contract comes before the text, and the text before the exit code', () => {
  const lines = ["Error: Cannot find module 'x'"]
  expect(conditionOf({ ...nothing, reason_code: 'permission_denied', lines })).toBe('permission_denied')
  expect(conditionOf({ ...nothing, reason_code: 'no_match', lines })).toBe(null)
  expect(conditionOf({ ...nothing, reason_code: 'tool_error', lines })).toBe('missing_dependency')
  expect(conditionOf({ ...nothing, exit_code: 127, lines })).toBe('missing_dependency')
})

test.each([
  [{ exit_code: 127 }, 'missing_command'],
  [{ exit_code: 124 }, 'timed_out'],
  [{ exit_code: 126 }, 'permission_denied'],
  [{ exit_code: 137 }, 'out_of_memory'],
  [{ exit_code: 7, program: 'curl' }, 'connection_refused'],
  [{ exit_code: 28, program: 'curl' }, 'timed_out'],
  [{ exit_code: 7, program: 'other' }, null],
  [{ exit_code: null, timed_out: true }, 'timed_out'],
  [{ exit_code: 1 }, null],
])('without a text, %o is %s', (ended, condition) => {
  expect(conditionOf({ ...nothing, ...ended })).toBe(condition)
})

test('hostile lines are read in time', () => {
  const line = (text: string) => text.repeat(500).slice(0, 500)
  for (const text of ['port ', 'paket ', 'archive ', 'erwartet', 'expected ', 'test', 'a', ' ', 'E', '<']) {
    expect(() => conditionOf({ ...nothing, lines: Array.from({ length: 6 }, () => line(text)) })).not.toThrow()
  }
})
