import { expect, test } from 'vitest'
import { matchingSkills, skillCommandAt, withSkill } from './skill-command.ts'

test.each([
  ['/', 1, { begin: 0, end: 1, typed: '' }],
  ['/pdf', 4, { begin: 0, end: 4, typed: 'pdf' }],
  ['  /pdf-f rest', 8, { begin: 2, end: 8, typed: 'pdf-f' }],
  ['/pdf rest', 9, null],
  ['/pdf', 2, null],
  ['/etc/hosts', 4, null],
  ['Use /pdf', 8, null],
])('%j with the caret at %i', (text, caret, command) => {
  expect(skillCommandAt(text, caret)).toEqual(command)
})

test('a chosen skill replaces what was typed', () => {
  expect(withSkill('/pd', { begin: 0, end: 3, typed: 'pd' }, 'pdf')).toEqual({ text: '/pdf ', caret: 5 })
  expect(withSkill(' /pd Fill in', { begin: 1, end: 4, typed: 'pd' }, 'pdf')).toEqual({ text: ' /pdf Fill in', caret: 6 })
})

test('names that begin with what was typed come first', () => {
  const skills = ['edit-pdf', 'docx', 'pdf'].map((name) => ({ name }))
  expect(matchingSkills(skills, 'pdf').map(({ name }) => name)).toEqual(['pdf', 'edit-pdf'])
})
