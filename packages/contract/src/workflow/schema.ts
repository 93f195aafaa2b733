import Type, { type Static } from 'typebox'
import { pageQuery } from '../http/list.ts'
import { limits } from '../limits/index.ts'
import { Count, Flag, Id, JsonText, Key, Line, listOf, object, oneOf, Timestamp, Version } from '../shape.ts'
import { ToolName } from '../tool/schema.ts'
import { comparisons, workflowInputTypes, workflowOutcomes } from './definition.ts'

/** Name of a node or an input within one workflow. */
export const WorkflowName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' })

/**
 * Text in which `{{inputs.NAME}}` and `{{nodes.ID.output}}` (optionally with a path) are placeholders; the device fills them in when the
 * node starts.
 */
const Template = Type.String({ maxLength: 65_536, description: 'Text that may contain {{inputs.name}} and {{nodes.id.output}}' })

export const WorkflowInput = object({
  name: WorkflowName,
  type: oneOf(workflowInputTypes),
  description: Type.Optional(Line),
  required: Flag,
  default_value: Type.Optional(JsonText),
})
export type WorkflowInput = Static<typeof WorkflowInput>

/** A comparison, not a program: nothing is evaluated that could have an effect. */
export const Condition = object({
  left: Template,
  comparison: oneOf(comparisons),
  right: Type.Optional(Template),
})
export type Condition = Static<typeof Condition>

const common = {
  id: WorkflowName,
  title: Type.Optional(Line),
  /** Where an editor draws it. */
  position: Type.Optional(object({ x: Type.Number(), y: Type.Number() })),
}

const patience = {
  timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  retry: Type.Optional(
    object({ attempts: Type.Integer({ minimum: 1, maximum: 10 }), backoff_seconds: Type.Integer({ minimum: 0, maximum: 3_600 }) }),
  ),
}

export const WorkflowNode = Type.Union([
  object({ ...common, ...patience, kind: Type.Literal('tool'), tool: ToolName, arguments: JsonText }),
  object({ ...common, ...patience, kind: Type.Literal('agent'), agent_id: Type.Optional(Key), prompt: Template }),
  object({ ...common, ...patience, kind: Type.Literal('workflow'), workflow_id: Id, inputs: JsonText }),
  object({ ...common, kind: Type.Literal('approval'), message: Template }),
  object({ ...common, kind: Type.Literal('question'), question: Template, choices: Type.Optional(listOf(Line, { maxItems: 20 })) }),
  object({ ...common, kind: Type.Literal('condition'), condition: Condition }),
  object({ ...common, kind: Type.Literal('wait'), seconds: Type.Integer({ minimum: 0, maximum: 30 * 86_400 }) }),
])
export type WorkflowNode = Static<typeof WorkflowNode>

/** `to` may start when `from` has ended with the outcome `when` (`succeeded` if absent). */
export const WorkflowEdge = object({ from: WorkflowName, to: WorkflowName, when: Type.Optional(oneOf(workflowOutcomes)) })
export type WorkflowEdge = Static<typeof WorkflowEdge>

/** The cloud only stores it; `checkWorkflow` reports whether its parts fit together. */
export const WorkflowDefinition = object({
  inputs: listOf(WorkflowInput, { maxItems: 50 }),
  nodes: listOf(WorkflowNode, { minItems: 1, maxItems: limits.workflow_nodes }),
  edges: listOf(WorkflowEdge, { maxItems: limits.workflow_edges }),
  output: Type.Optional(Template),
})
export type WorkflowDefinition = Static<typeof WorkflowDefinition>

const head = { name: Type.String({ minLength: 1, maxLength: 200 }), description: Type.Optional(Type.String({ maxLength: 4_000 })) }
const stamps = { version: Version, created_at: Timestamp, updated_at: Timestamp }

/** The fields to create a workflow, or to replace one completely. */
export const WorkflowContent = object({ ...head, definition: WorkflowDefinition })
export type WorkflowContent = Static<typeof WorkflowContent>

export const Workflow = object({ id: Id, ...head, definition: WorkflowDefinition, ...stamps })
export type Workflow = Static<typeof Workflow>

/** A workflow in a list, without its definition. */
export const WorkflowSummary = object({ id: Id, ...head, node_count: Count, ...stamps })
export type WorkflowSummary = Static<typeof WorkflowSummary>

export const WorkflowListQuery = object({
  ...pageQuery,
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name or the description' })),
  updated_since: Type.Optional(Timestamp),
})
export type WorkflowListQuery = Static<typeof WorkflowListQuery>
