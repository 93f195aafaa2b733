import { Id, pageOf } from '../../shape.ts'
import { WorkflowRunEvent } from '../../workflow-run/schema.ts'
import { type Command, listParams } from '../command.ts'

export const workflowRunCommands = {
  workflow_run_list_events: {
    summary: 'List the events of a workflow run in order, including those of other devices.',
    params: listParams({ workflow_run_id: Id }),
    result: pageOf(WorkflowRunEvent),
  },
} satisfies Record<string, Command>
