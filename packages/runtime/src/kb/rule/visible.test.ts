import type { KnowledgeOrigin } from '@tandem/contract/knowledge'
import { describe, expect, test } from 'vitest'
import { belongsTo, reachOf } from './visible.ts'

describe('a source belongs to', () => {
  const reader = { agent_id: 'ann', workspace: '/work/a' }
  test.each([
    [{ kind: 'agent', agent_id: 'ann' }, true],
    [{ kind: 'agent', agent_id: 'bob' }, false],
    [{ kind: 'workspace', path: '/work/a' }, true],
    [{ kind: 'workspace', path: '/work' }, false],
    [{ kind: 'workspace', path: '/work/a/b' }, false],
    [{ kind: 'everyone' }, true],
  ] as const)('%j: %s', (owner, expected) => {
    expect(belongsTo(owner, reader)).toBe(expected)
  })

  test('no folder, if it is not known where the agent works', () => {
    expect(belongsTo({ kind: 'workspace', path: '/work/a' }, { agent_id: 'ann', workspace: null })).toBe(false)
  })
})

describe('the reach of a policy into', () => {
  const folder: KnowledgeOrigin = { kind: 'folder', path: '/docs' }
  const file: KnowledgeOrigin = { kind: 'file', path: '/docs/a.md' }
  test.each([
    [folder, ['/docs'], ['**'], 'all'],
    [folder, ['/'], ['**'], 'all'],
    [folder, ['/docs'], ['**/*.md'], 'some'],
    [folder, ['/docs'], ['**', '!secret/**'], 'some'],
    [folder, ['/docs/sub'], ['**'], 'some'],
    [folder, ['/doc'], ['**'], 'none'],
    [folder, [], ['**'], 'none'],
    [file, ['/docs'], ['**'], 'all'],
    [file, ['/docs/sub'], ['**'], 'none'],
    [file, ['/docs'], ['*.txt'], 'some'],
    [{ kind: 'url', url: 'https://example.org/' }, [], [], 'all'],
    [{ kind: 'text', characters: 3 }, [], [], 'all'],
  ] as const)('%j with %j %j is %s', (origin, roots, globs, expected) => {
    expect(reachOf(origin as KnowledgeOrigin, { roots, globs })).toBe(expected)
  })
})
