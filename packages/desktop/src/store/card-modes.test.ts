import { expect, test, vi } from 'vitest'
import { maxStoredModes, openCardModeStore } from './card-modes.ts'

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
  const [one, other] = [openCardModeStore(() => place), openCardModeStore(() => place)]
  one.save('a', 'pinned')
  other.save('b', 'user_closed')
  one.save('c', 'user_open')
  one.save('b', null)
  one.save('never kept', null)
  expect([...other.read()]).toEqual([
    ['a', 'pinned'],
    ['c', 'user_open'],
  ])
})

test('keeps only a limited number of decisions, the newest', () => {
  const modes = openCardModeStore(
    (
      (place) => () =>
        place
    )(storage()),
  )
  for (let number = 0; number <= maxStoredModes; number += 1) modes.save(`card ${number}`, 'pinned')
  modes.save('card 1', 'user_open')
  expect([modes.read().size, modes.read().has('card 0'), [...modes.read()].at(-1)]).toEqual([
    maxStoredModes,
    false,
    ['card 1', 'user_open'],
  ])
})

test.each(['not JSON', '{}', 'null', '[1,["a"],["a","open"],[2,"pinned"],null]'])('%s is read as no decisions', (text) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  expect([...openCardModeStore(() => storage(text)).read()]).toEqual([])
  warn.mockRestore()
})

test('a browser without storage is not an error', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const modes = openCardModeStore(() => {
    throw new Error('denied')
  })
  modes.save('a', 'pinned')
  expect([...modes.read()]).toEqual([])
  expect(warn).toHaveBeenCalled()
  warn.mockRestore()
})
