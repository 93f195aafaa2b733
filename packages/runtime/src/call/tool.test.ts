import { expect, test } from 'vitest'
import { type Effect, mayChangeAnything, mayChangeFolder } from './tool.ts'

/** An effect, whether it may change the folder, and whether it may change anything in it. */
test.each<[Effect, boolean, boolean]>([
  [{ does: 'read', path: 'a' }, false, false],
  [{ does: 'write', path: 'a' }, true, false],
  [{ does: 'delete', path: 'a' }, true, false],
  [{ does: 'execute', command: 'ls', cwd: '.', language: 'shell' }, true, true],
  [{ does: 'send', host: 'mcp:files' }, true, true],
  [{ does: 'fetch', host: 'mcp:files' }, true, true],
  [{ does: 'send', host: 'example.org' }, false, false],
  [{ does: 'fetch', host: 'example.org' }, false, false],
  [{ does: 'execute_remotely', executor: 'build', command: 'ls' }, false, false],
  [{ does: 'signal', pid: 1 }, false, false],
  [{ does: 'note' }, false, false],
])('%j', (effect, folder, anything) => {
  expect([mayChangeFolder([effect]), mayChangeAnything([effect])]).toEqual([folder, anything])
})
