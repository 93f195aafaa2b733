import { workflowCloudStates } from '@tandem/contract/workflow-run'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LocalWorkflow, reconcile } from './reconcile.ts'

const here = (fields: Partial<LocalWorkflow>): LocalWorkflow => ({
  workflow_id: 'w',
  cloud_state: 'same',
  cloud_version: 3,
  is_deleted: false,
  ...fields,
})

test.each([
  ['new here', [here({ cloud_state: 'here', cloud_version: null })], [], [{ workflow_id: 'w', do: 'create' }]],
  ['new there', [], [3], [{ workflow_id: 'w', do: 'fetch' }]],
  ['the same', [here({})], [3], []],
  ['changed there', [here({})], [4], [{ workflow_id: 'w', do: 'fetch' }]],
  ['changed here', [here({ cloud_state: 'changed' })], [3], [{ workflow_id: 'w', do: 'replace', version: 3 }]],
  ['changed on both sides', [here({ cloud_state: 'changed' })], [4], [{ workflow_id: 'w', do: 'keep_both' }]],
  ['an open conflict', [here({ cloud_state: 'conflict' })], [3], []],
  ['an open conflict, changed there again', [here({ cloud_state: 'conflict' })], [5], [{ workflow_id: 'w', do: 'keep_both' }]],
  [
    'created under the same id on both sides',
    [here({ cloud_state: 'here', cloud_version: null })],
    [1],
    [{ workflow_id: 'w', do: 'keep_both' }],
  ],
  ['removed there', [here({})], [], [{ workflow_id: 'w', do: 'mark_removed' }]],
  ['removed there, changed here', [here({ cloud_state: 'changed' })], [], [{ workflow_id: 'w', do: 'mark_removed' }]],
  ['removed there, known', [here({ cloud_state: 'removed' })], [], []],
  ['deleted here', [here({ is_deleted: true })], [3], [{ workflow_id: 'w', do: 'delete', version: 3 }]],
  ['deleted here, changed there', [here({ is_deleted: true })], [4], [{ workflow_id: 'w', do: 'fetch' }]],
  ['deleted on both sides', [here({ is_deleted: true })], [], [{ workflow_id: 'w', do: 'forget' }]],
] as const)('%s', (_title, local, versions, steps) => {
  expect(
    reconcile(
      local,
      versions.map((version) => ({ id: 'w', version })),
    ),
  ).toEqual(steps)
})

test('what a person changed here is never replaced without keeping it', () => {
  const local = fc.record({
    workflow_id: fc.constant('w'),
    cloud_state: fc.constantFrom(...workflowCloudStates),
    cloud_version: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
    is_deleted: fc.boolean(),
  })
  fc.assert(
    fc.property(local, fc.option(fc.integer({ min: 1, max: 6 }), { nil: null }), (workflow, version) => {
      const [step] = reconcile([workflow], version === null ? [] : [{ id: 'w', version }])
      const isOwn = !workflow.is_deleted && ['here', 'changed', 'conflict'].includes(workflow.cloud_state)
      if (isOwn) expect(['create', 'replace', 'keep_both', 'mark_removed', undefined]).toContain(step?.do)
      if (step?.do === 'replace' || step?.do === 'delete') expect(step.version).toBeLessThanOrEqual(workflow.cloud_version ?? 0)
    }),
  )
})
