import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { compatibilityChecks } from '../skill-recommendation/index.ts'
import { invokedSkill, skillProblem, skillReasonNames, skillReasons } from './index.ts'
import { SkillName, SkillProblem, SkillRequirements } from './schema.ts'

test('every reason has the name and a remedy', () => {
  for (const reason of skillReasonNames) {
    const problem = skillProblem(reason, 'the-$&-thing')
    expect(Check(SkillProblem, problem)).toBe(true)
    expect(problem.hint).toContain('the-$&-thing')
    expect(problem.title).toBe(skillReasons[reason].title)
  }
})

test('every requirement has a check, and each reason belongs to at most one check', () => {
  expect(Object.keys(compatibilityChecks)).toEqual(Object.keys(SkillRequirements.properties))
  const reasons = Object.values(compatibilityChecks)
  expect(reasons).toEqual([...new Set(reasons)])
})

test.each([
  ['/pdf-forms Fill in the form', 'pdf-forms'],
  ['  /pdf\nFill in the form', 'pdf'],
  ['/pdf', 'pdf'],
  ['/etc/hosts is wrong', null],
  ['/PDF form', null],
  ['Use /pdf', null],
  ['/', null],
  [`/${'a'.repeat(65)}`, null],
])('the message %j starts %s', (text, name) => {
  expect(invokedSkill(text)).toBe(name)
})

test.each([
  ['pdf-tools', true],
  ['a', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['PDF', false],
  ['-a', false],
  ['a-', false],
  ['a--b', false],
  ['', false],
])('the skill name "%s": %s', (name, allowed) => {
  expect(Check(SkillName, name)).toBe(allowed)
})
