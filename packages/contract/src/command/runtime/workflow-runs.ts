import Type from 'typebox'
import { Id, listOf, oneOf, pageOf } from '../../shape.ts'
import { WorkflowName } from '../../workflow/schema.ts'
import { WorkflowRunEvent } from '../../workflow-run/schema.ts'
import { workflowRunEventKinds } from '../../workflow-run/state.ts'
import { type Command, listParams } from '../command.ts'

export const workflowRunCommands = {
  workflow_run_list_events: {
    summary: 'List the events of a workflow run in order, all or only some, including those of other devices.',
    params: listParams({
      workflow_run_id: Id,
      /** Only events of these kinds, or of this node. */
      kinds: Type.Optional(listOf(oneOf(workflowRunEventKinds), { maxItems: 20 })),
      node_id: Type.Optional(WorkflowName),
    }),
    result: pageOf(WorkflowRunEvent),
  },
} satisfies Record<string, Command>
