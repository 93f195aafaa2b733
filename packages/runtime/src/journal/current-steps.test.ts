import type { RunStep } from '@tandem/contract/run'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currentSteps } from './current-steps.ts'
import type { JournaledStep } from './recorded-step.ts'

const said = (seq: number): JournaledStep => ({ step: { kind: 'model.called', seq, turn: seq } as unknown as RunStep, here: {} })
const restored = (seq: number, cursor_seq: number): JournaledStep => ({
  step: { kind: 'checkpoint.restored', seq, cursor_seq } as unknown as RunStep,
  here: {},
})
const seqs = (steps: readonly JournaledStep[]) => currentSteps(steps).map(({ step }) => step.seq)

test('a restore removes what came after its cursor', () => {
  expect(seqs([said(0), said(1), said(2), restored(3, 0), said(4)])).toEqual([0, 4])
})

test('restoring the restore brings it back', () => {
  expect(seqs([said(0), said(1), said(2), restored(3, 0), restored(4, 2), said(5)])).toEqual([0, 1, 2, 5])
})

test('a restore to what an earlier one had added', () => {
  expect(seqs([said(0), said(1), restored(2, 0), said(3), said(4), restored(5, 3)])).toEqual([0, 3])
})

test('whatever the restores: the journal never loses current steps, and keeps their order', () => {
  const plan = fc.array(fc.option(fc.nat({ max: 30 }), { nil: null }), { maxLength: 30 })
  fc.assert(
    fc.property(plan, (marks) => {
      const steps = marks.map((cursor, seq) => (cursor === null || cursor >= seq ? said(seq) : restored(seq, cursor)))
      const standing = seqs(steps)
      expect(standing).toEqual(standing.toSorted((left, right) => left - right))
      const last = steps.findLastIndex(({ step }) => step.kind === 'checkpoint.restored')
      expect(standing.filter((seq) => seq > last)).toEqual(steps.slice(last + 1).map(({ step }) => step.seq))
    }),
  )
})
