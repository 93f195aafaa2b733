import { expect, test } from 'vitest'
import { isInverted } from './inverted.ts'

test.each([
  ['The user prefers tabs over spaces.', 'I prefer spaces over tabs'],
  ['The user prefers tabs.', 'I prefer spaces over tabs'],
  ['Tabs instead of spaces.', 'please use spaces instead of tabs'],
  ['The user prefers tabs over spaces.', 'Instead of tabs, use spaces'],
  ['The user uses tabs rather than spaces.', 'I want spaces, not tabs'],
  ['The user likes dark mode.', 'I do not like dark mode'],
  ['The user enjoys dark mode.', 'I don’t like dark mode'],
  ['The user does not like dark mode.', 'I like dark mode'],
  ['Deploy on Fridays.', 'Never deploy on Fridays'],
  ['Vite is faster than Webpack.', 'Webpack is faster than Vite here'],
])('"%s" is the opposite of "%s"', (content, quoted) => {
  expect(isInverted(content, quoted)).toBe(true)
})

test.each([
  ['The user prefers spaces over tabs.', 'I prefer spaces over tabs'],
  ['The user prefers spaces to tabs.', 'I prefer spaces over tabs'],
  ['The user prefers spaces.', 'I prefer spaces over tabs'],
  ['Spaces instead of tabs.', 'Instead of tabs, use spaces'],
  ['The user does not like tabs.', 'I prefer spaces over tabs, I do not like tabs'],
  ['The user dislikes dark mode.', 'I do not like dark mode'],
  ['The user hates dark mode.', 'I hate dark mode'],
  ['The user avoids nuts.', 'I am allergic to nuts, so never put nuts into it'],
  ['The user cannot eat nuts.', 'I am allergic to nuts'],
  ['The user quit smoking.', 'I do not smoke any more'],
  ['The user never deploys on Fridays.', 'Never deploy on Fridays'],
  ['Webpack is faster than Vite.', 'Webpack is faster than Vite here'],
  ['Vite is slower than Webpack.', 'Webpack is faster than Vite here'],
  ['The team used MySQL before.', 'We moved to Postgres instead of MySQL'],
  ['The user never commits without tests.', 'I never commit without tests'],
])('"%s" is not the opposite of "%s"', (content, quoted) => {
  expect(isInverted(content, quoted)).toBe(false)
})
