import fc from 'fast-check'
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
  ['error: could not revert 1a2b3c4... Raise the limit', 'merge_conflict'],
  ['app.c:4:1: error: version control conflict marker in file', 'merge_conflict'],
  ['error: patch failed: src/limits.c:12', 'merge_conflict'],
  ['1 out of 2 hunks FAILED -- saving rejects to file limits.c.rej', 'merge_conflict'],
  ['JSON.parse Invalid package.json: parsing near "...\\"a\\",\\n<<<<<<< HEAD\\n  \\"vers..."', 'merge_conflict'],
  ['main.c:1:10: fatal error: curl/curl.h: No such file or directory', 'missing_dependency'],
  ['/usr/bin/ld: cannot find -lpng: No such file or directory', 'missing_dependency'],
  ["No package 'libpq' found", 'missing_dependency'],
  ['CMake Error: Could NOT find ZLIB (missing: ZLIB_LIBRARY ZLIB_INCLUDE_DIR)', 'missing_dependency'],
  ['Main.java:1: error: package org.json does not exist', 'missing_dependency'],
  ['Exception in thread "main" java.lang.NoClassDefFoundError: org/json/JSONObject', 'missing_dependency'],
  ['app: error while loading shared libraries: libpq.so.5: cannot open shared object file', 'missing_dependency'],
  ["can't find package http 2.9", 'missing_dependency'],
  ['make: *** [Makefile:3: build] Error 127', 'missing_dependency'],
  ['java.net.BindException: Address already in use', 'port_in_use'],
  ['LOG:  could not bind IPv4 address "127.0.0.1": Address already in use', 'port_in_use'],
  ['nginx: could not bind to 0.0.0.0:80 (13: Permission denied)', 'permission_denied'],
  ['Web server failed to start. Port 8080 was already in use.', 'port_in_use'],
  ["tar: unrecognized option '--exlude'", 'wrong_usage'],
  ['sort: Unbekannte Option »--frist«', 'wrong_usage'],
  ["bash: -c: line 1: unexpected EOF while looking for matching `''", 'wrong_usage'],
  ["error: unknown option `--short'", 'wrong_usage'],
  ['java.nio.file.AccessDeniedException: /srv/data', 'permission_denied'],
  ["fatal: detected dubious ownership in repository at '/srv/app'", 'permission_denied'],
  ['Error: attempt to write a readonly database (8)', 'permission_denied'],
  ['E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)', 'permission_denied'],
  ['java.util.zip.ZipException: zip END header not found', 'damaged_archive'],
  ['Error: Invalid or corrupt jarfile app.jar', 'damaged_archive'],
  ["dpkg-deb: error: 'a.deb' is not a Debian format archive", 'damaged_archive'],
  ['a.zst : Read error (39) : premature end', 'damaged_archive'],
  ['curl: (18) transfer closed with 1000 bytes remaining to read', 'damaged_archive'],
  ['Schwerwiegend: zu frühes Dateiende', 'damaged_archive'],
  ['ERROR:  canceling statement due to statement timeout', 'timed_out'],
  ['java.net.SocketTimeoutException: Read timed out', 'timed_out'],
  ['1/3 Test #1: slow .............***Timeout   1.00 sec', 'timed_out'],
  ['No answer in time: 1 s', 'timed_out'],
  ['Keine Antwort innerhalb der Frist: 1 s', 'timed_out'],
  ['Zeit abgelaufen', 'timed_out'],
  ['Connect to 127.0.0.1:8081 failed: Connection refused', 'connection_refused'],
  ['npm error code ENOTCACHED', 'not_cached'],
  ["fatal: invalid object name 'v1.2.3'.", 'unknown_revision'],
  ["fatal: pathspec 'dist' did not match any files", 'missing_file'],
  ["Schwerwiegend: Pfadspezifikation 'dist' stimmt mit keinen Dateien überein", 'missing_file'],
  ["#   Failed test 'total'", 'failed_test'],
  ['Tests run: 3, Failures: 1, Errors: 0', 'failed_test'],
  ['67% tests passed, 1 tests failed out of 3', 'failed_test'],
  ['==== total-1 sums FAILED', 'failed_test'],
  ['expected:<12> but was:<13>', 'failed_test'],
  ["app: main.c:9: main: Assertion `total == 12' failed.", 'failed_test'],
  ['FEHLGESCHLAGEN: 1 von 1 Vergleichen', 'failed_test'],
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

test('an archive that did not arrive is not the reason', () => {
  const lines = ['curl: (7) Failed to connect to 127.0.0.1 port 80', 'gzip: stdin: unexpected end of file']
  expect(conditionOf({ ...nothing, lines })).toBe('connection_refused')
})

test('more of the output is read if the chosen lines say nothing, or only that something is not there', () => {
  const more = () => ['Error: listen EADDRINUSE: address already in use :::3000']
  expect(conditionOf({ ...nothing, lines: ['make: *** [Makefile:2: run] Error 1'], more })).toBe('port_in_use')
  expect(conditionOf({ ...nothing, lines: ['cat: a.pid: No such file or directory'], more })).toBe('port_in_use')
  expect(conditionOf({ ...nothing, lines: ['tar: Unexpected EOF in archive'], more })).toBe('damaged_archive')
  expect(conditionOf({ ...nothing, lines: ['cat: a: No such file or directory'], more: () => ['sh: 1: b: not found'] })).toBe(
    'missing_file',
  )
})

test('whatever was printed, one line is enough, and adding lines never hides a conflict', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...texts.map(([line]) => line)), { maxLength: 8 }), (lines) => {
      const marked = [...lines, '<<<<<<< HEAD']
      expect(conditionOf({ ...nothing, lines: marked })).toBe('merge_conflict')
      const found = conditionOf({ ...nothing, lines })
      expect(found === null).toBe(lines.length === 0)
    }),
  )
})

test.each([
  [{ exit_code: 127 }, 'missing_command'],
  [{ exit_code: 124 }, 'timed_out'],
  [{ exit_code: 126 }, 'permission_denied'],
  [{ exit_code: 137 }, 'out_of_memory'],
  [{ exit_code: 7, program: 'curl' }, 'connection_refused'],
  [{ exit_code: 4, program: 'wget' }, 'connection_refused'],
  [{ exit_code: 8, program: 'wget' }, 'server_error'],
  [{ exit_code: 64 }, 'wrong_usage'],
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
