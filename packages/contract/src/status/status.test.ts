import { expect, test } from 'vitest'
import { warningsFor } from './index.ts'

test('a runtime of root has a warning with a remedy; one of an ordinary user has none', () => {
  expect(warningsFor(0)).toEqual([
    {
      code: 'running_as_root',
      message: expect.stringMatching(/^Tandem is running as root\..*trusted mode/),
      remedy: 'Stop Tandem and start it as an ordinary user.',
    },
  ])
  expect([warningsFor(1000), warningsFor(null)]).toEqual([[], []])
})
