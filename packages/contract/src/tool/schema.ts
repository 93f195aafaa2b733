import Type, { type Static } from 'typebox'
import { Flag, Line, listOf, object, oneOf, Sha256 } from '../shape.ts'
import { builtinToolNames } from './names.ts'
import { approvalModes, callPolicyFields, policyLayerKinds, sandboxModes } from './policy.ts'

export const BuiltinToolName = oneOf(builtinToolNames)

/** A built-in tool or `mcp.<server_id>.<tool>`. */
export const ToolName = Type.String({ minLength: 3, maxLength: 300, pattern: '^(?:[a-z]+\\.[a-z_]+|mcp\\.[^.]+\\..+|ask_user)$' })

export const ApprovalMode = oneOf(approvalModes)
export const SandboxMode = oneOf(sandboxModes)

/** What one agent may do with one tool. */
export const ToolPolicy = object({
  enabled: Flag,
  approval_mode: ApprovalMode,
  rate_limit: object({
    calls: Type.Integer({ minimum: 1, maximum: 100_000 }),
    per_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  }),
  time_limit: object({ seconds: Type.Integer({ minimum: 1, maximum: 86_400 }) }),
  network_scope: object({
    hosts: listOf(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 1_000, description: 'Host patterns; none means no network' }),
  }),
  fs_scope: object({
    roots: listOf(Type.String({ minLength: 1, maxLength: 4_096 }), { maxItems: 100, description: 'Folders, relative to the workspace' }),
    globs: listOf(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 1_000, description: 'Patterns under the roots' }),
  }),
})
export type ToolPolicy = Static<typeof ToolPolicy>

/** A layer of a policy, and the fields in which it changed what the layers below it allow. */
const PolicyLayerChange = object({
  name: Line,
  kind: oneOf(policyLayerKinds),
  changes: listOf(oneOf(callPolicyFields), { maxItems: callPolicyFields.length }),
})

/** `ignored`: overlays that would allow more in these fields, without a recorded approval. */
export const PolicyLayers = object({
  in_force: listOf(PolicyLayerChange, {
    maxItems: 50,
    description: 'In the order in which they apply; the configured policy is the first',
  }),
  ignored: listOf(PolicyLayerChange, { maxItems: 50 }),
})
export type PolicyLayers = Static<typeof PolicyLayers>

/**
 * What "this run" and "always" remember of a call. `command`: a simple command that begins with these words; with `folder`, only there; with
 * `instructions`, only as long as the files that the program takes instructions from are the same (their SHA-256). `path`: a file, or
 * everything below a folder. `host`: requests to it (`fetch`) or data sent to it (`send`); one does not cover the other. `tool`: every call.
 */
export const ApprovalRule = Type.Union([
  object({ kind: Type.Literal('tool') }),
  object({
    kind: Type.Literal('command'),
    words: listOf(Line, { minItems: 1, maxItems: 20 }),
    folder: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    instructions: Type.Optional(Sha256),
  }),
  object({ kind: Type.Literal('path'), path: Type.String({ minLength: 1, maxLength: 4_096 }) }),
  object({ kind: Type.Literal('host'), host: Type.String({ minLength: 1, maxLength: 253 }), does: oneOf(['fetch', 'send']) }),
])
export type ApprovalRule = Static<typeof ApprovalRule>

/** Any result of a tool. One of the two open schemas; the other is the `payload` of a change. */
export const ToolOutput = Type.Unknown({ description: 'The output of a tool' })
export type ToolOutput = Static<typeof ToolOutput>
