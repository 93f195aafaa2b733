import { expect, test } from 'vitest'
import { pastVerbs, tellsStory } from './tense.ts'

test.each([
  ['then they cut me off and i had to start again', 1, true],
  ['then they rang and i went home', 2, true],
  ['then they rang, so we always call twice', 1, false],
  ['the list is sorted by name', 0, false],
  ['the red shed', 0, false],
  ['two spaces', 0, false],
])('the tense of: %s', (core, verbs, isStory) => {
  expect([pastVerbs(core), tellsStory(core)]).toEqual([verbs, isStory])
})
