import { expect, test } from 'vitest'
import { subjectAbout } from './about.ts'

test('the user and the agent are recognized, however they are named', () => {
  expect(['user', 'User', ' the  user ', 'this person', 'me', ''].map(subjectAbout)).toEqual(Array(6).fill('user'))
  expect(['agent', 'The Assistant', 'myself'].map(subjectAbout)).toEqual(['agent', 'agent', 'agent'])
  expect(['Anna', 'user interface', 'travel agent '].map(subjectAbout)).toEqual([
    'entity:Anna',
    'entity:user interface',
    'entity:travel agent',
  ])
})
