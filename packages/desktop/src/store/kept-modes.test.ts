import { expect, test, vi } from 'vitest'
import { keptModes, mostKept } from './kept-modes.ts'

function storage(first: string | null = null) {
  let text = first
  return {
    getItem: () => text,
    setItem(_: string, value: string) {
      text = value
    },
  }
}

test('decisions are read again, by another window too, and forgotten when they are undone', () => {
  const place = storage()
  const [one, other] = [keptModes(() => place), keptModes(() => place)]
  one.keep('a', 'pinned')
  other.keep('b', 'user_closed')
  one.keep('c', 'user_open')
  one.keep('b', null)
  one.keep('never kept', null)
  expect([...other.read()]).toEqual([
    ['a', 'pinned'],
    ['c', 'user_open'],
  ])
})

test('keeps only a limited number of decisions, the newest', () => {
  const modes = keptModes(
    (
      (place) => () =>
        place
    )(storage()),
  )
  for (let number = 0; number <= mostKept; number += 1) modes.keep(`card ${number}`, 'pinned')
  modes.keep('card 1', 'user_open')
  expect([modes.read().size, modes.read().has('card 0'), [...modes.read()].at(-1)]).toEqual([mostKept, false, ['card 1', 'user_open']])
})

test.each(['not JSON', '{}', 'null', '[1,["a"],["a","open"],[2,"pinned"],null]'])('%s is read as no decisions', (text) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  expect([...keptModes(() => storage(text)).read()]).toEqual([])
  warn.mockRestore()
})

test('a browser without storage is not an error', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const modes = keptModes(() => {
    throw new Error('denied')
  })
  modes.keep('a', 'pinned')
  expect([...modes.read()]).toEqual([])
  expect(warn).toHaveBeenCalled()
  warn.mockRestore()
})
