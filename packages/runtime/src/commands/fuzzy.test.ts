import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzyScore } from './fuzzy.ts'

const best = (paths: readonly string[], typed: string) =>
  paths
    .filter((path) => fuzzyScore(path, typed) !== null)
    .sort((left, right) => (fuzzyScore(right, typed) ?? 0) - (fuzzyScore(left, typed) ?? 0))

test('the name of a file outweighs its folders, and letters can be omitted', () => {
  const paths = ['src/composer/index.ts', 'src/chat/composer.tsx', 'docs/compose-rules.md', 'LICENSE']
  expect(best(paths, 'composer')).toEqual(['src/chat/composer.tsx', 'src/composer/index.ts', 'docs/compose-rules.md'])
  expect(best(paths, 'chcom')).toEqual(['src/chat/composer.tsx'])
  expect(best(paths, 'zzz')).toEqual([])
  expect(best(paths, '')[0]).toBe('LICENSE')
})

test('any subsequence of a path matches it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z/._-]{1,40}$/), fc.infiniteStream(fc.boolean()), (path, keeps) => {
      const typed = [...path].filter(() => keeps.next().value).join('')
      expect(fuzzyScore(path, typed)).not.toBeNull()
    }),
  )
})
