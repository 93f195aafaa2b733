import { expect, test } from 'vitest'
import type { ToolContext } from '../../call/context.ts'
import { pageFailure } from './page-failure.ts'
import type { Tab } from './tab.ts'

const tab = { id: 't1', broken: null, page: { url: () => 'http://127.0.0.1/' } } as never as Tab
const context = { signal: new AbortController().signal } as ToolContext

const log = (...lines: readonly string[]) =>
  new Error(['locator.click: Timeout 10000ms exceeded.', 'Call log:', ...lines.map((line) => `  - ${line}`)].join('\n'))
const attempt = ['attempting click action', 'waiting for element to be visible, enabled and stable']
const covered = ['element is visible, enabled and stable', '<div></div> intercepts pointer events', 'retrying click action']

test.each([
  ['at the end of an attempt', [...attempt, ...covered]],
  ['in the next attempt', [...attempt, ...covered, ...attempt]],
])('what covers an element is reported, even if the timeout is %s', (_when, lines) => {
  expect(pageFailure(log('waiting for getByRole', ...lines), tab, context, 'clicking')).toMatchObject({
    reason_code: 'target_not_actionable',
    message: expect.stringContaining('<div></div> intercepts pointer events'),
  })
})

test('if nothing covers it, what was waited for is reported', () => {
  expect(pageFailure(log('waiting for getByRole', ...attempt), tab, context, 'clicking')).toMatchObject({
    message: expect.stringContaining('waiting for element to be visible, enabled and stable'),
  })
})
