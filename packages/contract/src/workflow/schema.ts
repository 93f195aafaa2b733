import Type, { type Static } from 'typebox'
import { pageQuery } from '../http/list.ts'
import { limits } from '../limits/index.ts'
import { Count, Flag, Id, JsonText, Key, Line, listOf, object, oneOf, Timestamp, Version } from '../shape.ts'
import { ToolName } from '../tool/schema.ts'
import { comparisons, failureReactions, joins, workflowOutcomes, workflowValueTypes } from './definition.ts'

/** Name of a node or an input within one workflow. */
export const WorkflowName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' })

/**
 * Text in which `{{inputs.NAME}}`, `{{nodes.ID.output}}` and `{{loops.ID.item}}` (optionally with a path) are placeholders; the device fills
 * them in when the node starts. A text that consists of one placeholder becomes its value, whatever its type is. What was filled in is not
 * looked at again.
 */
const Template = Type.String({
  maxLength: 65_536,
  description: 'Text that may contain {{inputs.name}}, {{nodes.id.output}} and {{loops.id.item}}',
})

/** An expression in JSONata. It is evaluated in a process that has no files and no network, and is ended after a moment. */
const Expression = Type.String({ minLength: 1, maxLength: 8_192, description: 'An expression in JSONata' })

export const WorkflowInput = object({
  name: WorkflowName,
  type: oneOf(workflowValueTypes),
  description: Type.Optional(Line),
  required: Flag,
  default_value: Type.Optional(JsonText),
})
export type WorkflowInput = Static<typeof WorkflowInput>

export const WorkflowOutput = object({
  name: WorkflowName,
  type: oneOf(workflowValueTypes),
  description: Type.Optional(Line),
  value: Template,
})
export type WorkflowOutput = Static<typeof WorkflowOutput>

/** A comparison, not a program: nothing is evaluated that could have an effect. */
export const Condition = object({
  left: Template,
  comparison: oneOf(comparisons),
  right: Type.Optional(Template),
})
export type Condition = Static<typeof Condition>

/** When a loop ends. The expression is about `nodes` and `inputs`. */
const Until = Type.Union([Condition, object({ expression: Expression })])

const common = {
  id: WorkflowName,
  title: Type.Optional(Line),
  /** The loop that repeats it. Edges lead only to nodes of the same loop. */
  within: Type.Optional(WorkflowName),
  /** With several edges to it: whether it waits for all nodes before it that run, or only for the first one. `all` if absent. */
  join: Type.Optional(oneOf(joins)),
  /** Where an editor draws it. */
  position: Type.Optional(object({ x: Type.Number(), y: Type.Number() })),
}

const patience = {
  timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
  retry: Type.Optional(
    object({ attempts: Type.Integer({ minimum: 1, maximum: 10 }), backoff_seconds: Type.Integer({ minimum: 0, maximum: 3_600 }) }),
  ),
}

const effects = {
  /** What happens if it fails and no edge leads on from there. `stop` if absent: the workflow fails. */
  on_failure: Type.Optional(oneOf(failureReactions)),
  /** What takes its effect back, if the workflow fails or is canceled later. Its output can be named. */
  compensation: Type.Optional(object({ tool: ToolName, arguments: JsonText })),
}

export const WorkflowNode = Type.Union([
  object({
    ...{ ...common, ...patience, ...effects },
    kind: Type.Literal('tool'),
    tool: ToolName,
    arguments: JsonText,
    /** To do it twice is the same as once, so after a crash it may be repeated without asking. */
    idempotent: Type.Optional(Flag),
  }),
  object({ ...common, ...patience, ...effects, kind: Type.Literal('agent'), agent_id: Type.Optional(Key), prompt: Template }),
  object({ ...common, ...patience, ...effects, kind: Type.Literal('workflow'), workflow_id: Id, inputs: JsonText }),
  object({ ...common, kind: Type.Literal('approval'), message: Template }),
  object({ ...common, kind: Type.Literal('question'), question: Template, choices: Type.Optional(listOf(Line, { maxItems: 20 })) }),
  object({ ...common, kind: Type.Literal('condition'), condition: Condition }),
  object({ ...common, kind: Type.Literal('wait'), seconds: Type.Integer({ minimum: 0, maximum: 30 * 86_400 }) }),
  /** Reshapes JSON, and has no effect. The expression is about `input`. */
  object({ ...common, kind: Type.Literal('transform'), input: JsonText, expression: Expression }),
  /** Runs the nodes within it once per item. Its output is the list of what the rounds return. */
  object({
    ...common,
    kind: Type.Literal('for_each'),
    items: Template,
    concurrency: Type.Integer({ minimum: 1, maximum: limits.workflow_concurrency }),
    /** What one round returns; null if absent. */
    result: Type.Optional(Template),
    /** Whether the other items go on if one fails. `stop` if absent. */
    on_item_failure: Type.Optional(oneOf(failureReactions)),
  }),
  /** Runs the nodes within it until the condition is true, which is looked at after each round; fails if that was the last round. */
  object({
    ...common,
    kind: Type.Literal('repeat'),
    until: Until,
    most_rounds: Type.Integer({ minimum: 1, maximum: limits.workflow_rounds }),
    /** What it returns, from its last round; null if absent. */
    result: Type.Optional(Template),
  }),
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
  outputs: Type.Optional(listOf(WorkflowOutput, { maxItems: 50 })),
})
export type WorkflowDefinition = Static<typeof WorkflowDefinition>

const head = { name: Type.String({ minLength: 1, maxLength: 200 }), description: Type.Optional(Type.String({ maxLength: 4_000 })) }
const stamps = { version: Version, created_at: Timestamp, updated_at: Timestamp }

/** The fields to create a workflow, or to replace one completely. */
export const WorkflowContent = object({ ...head, definition: WorkflowDefinition })
export type WorkflowContent = Static<typeof WorkflowContent>

/** A device that has created it offline gives its id. */
export const WorkflowCreate = object({ id: Type.Optional(Id), ...WorkflowContent.properties })
export type WorkflowCreate = Static<typeof WorkflowCreate>

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
