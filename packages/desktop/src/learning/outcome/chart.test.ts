import type { OutcomeEvaluation } from '@tandem/contract/learning'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chartHeight, chartPoints, countVerdicts, reasonsOf, trendOf } from './chart.ts'

function evaluation(score: number, more: Partial<OutcomeEvaluation> = {}): OutcomeEvaluation {
  return {
    ...{ id: `e${score}`, run_id: 'r', agent_id: 'a', conversation_id: 'c', step_id: 's', trigger: 'completed', verdict: 'success' },
    ...{ score, scores: [{ dimension: 'safety', score: 0.25, reason: 'x' }], evaluator: 'rules', model: null },
    ...{ created_at: '2026-01-01T00:00:00.000Z', ...more },
  }
}

test('points are ordered from the oldest to the latest and lie inside of the chart', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 80 }),
      fc.integer({ min: 200, max: 1_400 }),
      (scores, width) => {
        const latest = scores.map((score) => evaluation(score))
        const points = chartPoints(latest, 'overall', width)
        const oldestFirst = latest.slice(0, points.length).toReversed()
        expect(points.map((point) => point.evaluation)).toEqual(oldestFirst)
        for (const [at, { x, y }] of points.entries()) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x).toBeLessThanOrEqual(width)
          expect(y).toBeGreaterThanOrEqual(0)
          expect(y).toBeLessThanOrEqual(chartHeight)
          const before = points[at - 1]
          if (before) expect(x - before.x).toBeGreaterThanOrEqual(15.9)
        }
      },
    ),
  )
})

test('a better score is higher, and a dimension has its own', () => {
  const [low, high] = chartPoints([evaluation(0.9), evaluation(0.1)], 'overall', 400)
  expect(high?.y).toBeLessThan(low?.y ?? 0)
  expect(chartPoints([evaluation(0.9)], 'safety', 400)[0]?.score).toBe(0.25)
  expect(chartPoints([evaluation(0.9)], 'efficiency', 400)[0]?.score).toBe(0.9)
})

test('verdicts are counted, and the latest runs are compared with those before', () => {
  const all = [evaluation(1), evaluation(1), evaluation(0, { verdict: 'failure' }), evaluation(0.5, { verdict: 'partial' })]
  expect(countVerdicts(all)).toEqual({ success: 2, partial: 1, failure: 1 })
  expect(trendOf(all, 'overall')).toEqual({ runs: 2, latest: 1, before: 0.25 })
  expect(trendOf(all.slice(0, 3), 'overall')).toBeNull()
})

test('only what is not perfect has a reason, the worst first', () => {
  const scores: OutcomeEvaluation['scores'] = [
    { dimension: 'safety', score: 1, reason: 'a' },
    { dimension: 'efficiency', score: 0.5, reason: 'b' },
    { dimension: 'goal_completion', score: 0, reason: 'c' },
  ]
  expect(reasonsOf(evaluation(1, { scores })).map(({ reason }) => reason)).toEqual(['c', 'b'])
})
