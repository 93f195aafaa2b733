import type { WorkflowNodeState } from '@tandem/contract/workflow-run'
import type { Tone } from '../part/badge.tsx'

export const nodeTones: Readonly<Record<WorkflowNodeState, Tone>> = {
  pending: 'plain',
  running: 'cloud',
  waiting: 'warn',
  completed: 'good',
  failed: 'bad',
  skipped: 'plain',
  compensated: 'warn',
}
