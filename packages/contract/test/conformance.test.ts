// Compares the contract with the names of the specification: none missing, none misspelt, and additions are listed explicitly.
import { describe, expect, test } from 'vitest'
import { detailCardKinds, interactiveCardKinds } from '../src/card/index.ts'
import { restoreKinds } from '../src/checkpoint/index.ts'
import { type CommandArea, commandAreas } from '../src/command/index.ts'
import { commands } from '../src/command/schema.ts'
import { eventNames } from '../src/event/index.ts'
import { eventPayloads } from '../src/event/schema.ts'
import { executorEndpoints } from '../src/executor/index.ts'
import { failureTaxonomies } from '../src/failure/index.ts'
import { FailureContract } from '../src/failure/schema.ts'
import { routes } from '../src/http/schema.ts'
import { gapKinds } from '../src/learning/index.ts'
import { Reflection } from '../src/learning/schema.ts'
import { limits } from '../src/limits/index.ts'
import { mcpServerStates, mcpServerTransitions, mcpTransports } from '../src/mcp/index.ts'
import { memoryKinds, proceduralPolicyModes, recallChannels, relationshipEdgeKinds } from '../src/memory/index.ts'
import { policyCandidateStates, policyCandidateTransitions } from '../src/policy-candidate/index.ts'
import { runStates, runTransitions } from '../src/run/index.ts'
import { RunStep } from '../src/run/schema.ts'
import { bindingPolicies } from '../src/skill/index.ts'
import { skillRecommendationStates, skillRecommendationTransitions } from '../src/skill-recommendation/index.ts'
import { storeNames } from '../src/store/index.ts'
import { stores } from '../src/store/schema.ts'
import { type EntityType, entityTypes, type MergeRuleName } from '../src/sync/index.ts'
import { Change, PullReply, PushRequest } from '../src/sync/schema.ts'
import { taskTransitions } from '../src/task/index.ts'
import { approvalModes, builtinToolNames, checkpointedTools, sandboxModes } from '../src/tool/index.ts'
import { ToolPolicy } from '../src/tool/schema.ts'
import type { Transitions } from '../src/transition/index.ts'
import { lines, names, spec } from './spec-names.ts'

const sorted = (list: readonly string[]) => [...list].sort()
const fields = (schema: { properties: object }) => Object.keys(schema.properties)
const ruled = (rule: MergeRuleName) => Object.entries(entityTypes).flatMap(([name, one]) => (one === rule ? [name as EntityType] : []))

describe('exactly the names of the specification', () => {
  test.each([
    ['tools', builtinToolNames, spec.tools],
    ['sandbox modes', sandboxModes, spec.sandbox_modes],
    ['approval modes', approvalModes, spec.approval_modes],
    ['fields of a tool policy', fields(ToolPolicy), spec.policy_fields],
    ['binding policies', bindingPolicies, spec.binding_policies],
    ['MCP transports', mcpTransports, spec.mcp_transports],
    ['restore kinds', restoreKinds, spec.restore_kinds],
    ['checkpointed tools', checkpointedTools, spec.checkpointed_tools],
    ['memory kinds', memoryKinds, spec.memory_kinds],
    ['recall channels', recallChannels, spec.recall_channels],
    ['procedural modes', proceduralPolicyModes, spec.procedural_modes],
    ['relationship kinds', relationshipEdgeKinds, spec.relationship_kinds],
    ['gap kinds', gapKinds, spec.gap_kinds],
    ['fields of a change', fields(Change), spec.change_fields],
    ['fields of a push', fields(PushRequest), spec.push_fields],
    ['append-only entities', ruled('append_only'), spec.append_only],
    ['last-write-wins entities', ruled('last_write_wins'), spec.last_write_wins],
    ['per-item entities', ruled('per_item'), spec.per_item],
    ['fields of a failure contract', fields(FailureContract), spec.failure_fields],
    ['taxonomies', failureTaxonomies, spec.taxonomies],
    ['stores', storeNames, spec.stores],
    ['run states', runStates, spec.run_states],
    ['policy candidate states', policyCandidateStates, spec.policy_candidate_states],
    ['skill recommendation states', skillRecommendationStates, spec.skill_recommendation_states],
    ['MCP server states', mcpServerStates, spec.mcp_server_states],
    ['detail cards', detailCardKinds, spec.detail_cards],
    ['interactive cards', interactiveCardKinds, spec.interactive_cards],
    ['stores with a schema', Object.keys(stores), spec.stores],
  ])('%s', (_what, ours, theirs) => {
    expect(sorted(ours)).toEqual(sorted(names(theirs)))
  })

  test.each(Object.entries(spec.commands))('commands: %s', (area, theirs) => {
    expect(sorted(commandAreas[area as CommandArea])).toEqual(sorted(names(theirs)))
  })

  test('every command has parameters and a result', () => {
    expect(sorted(Object.keys(commands))).toEqual(sorted(Object.values(commandAreas).flat()))
  })
})

describe('states change according to the rows of the specification and our additions, and no others', () => {
  const tables: Readonly<Record<string, Transitions<string, string>>> = {
    run: runTransitions,
    policy_candidate: policyCandidateTransitions,
    skill_recommendation: skillRecommendationTransitions,
    mcp_server: mcpServerTransitions,
    task: taskTransitions,
  }
  const rowsOf = (list: string | undefined, states: readonly string[]) =>
    lines(list ?? '')
      .filter(Boolean)
      .flatMap((row) => (row.startsWith('* ') ? states.map((state) => row.replace('*', state)) : [row]))

  test.each(Object.entries(tables))('%s', (noun, table) => {
    const ours = table.rows.flatMap((row) => row.from.map((state) => `${state} ${row.on} ${row.to}`))
    const written: Readonly<Record<string, string>> = spec.transitions
    const own: Readonly<Record<string, string>> = spec.own_transitions
    expect(sorted(ours)).toEqual(sorted([...rowsOf(written[noun], table.states), ...rowsOf(own[noun], table.states)]))
  })
})

describe('at least what the specification names', () => {
  test.each(lines(spec.endpoints))('%s', (endpoint) => {
    expect(Object.values(routes).map((route) => `${route.method} ${route.path}`)).toContain(endpoint)
  })

  test('an endpoint for every model under /api/v1/llm', () => {
    expect(Object.values(routes).filter((route) => route.path.startsWith('/api/v1/llm/')).length).toBeGreaterThanOrEqual(8)
  })

  test('the endpoints of a remote executor', () => {
    expect(Object.values(executorEndpoints).map(({ method, path }) => `${method} ${path}`)).toEqual(lines(spec.executor_endpoints))
  })

  test.each(Object.entries(spec.store_fields))('fields of %s', (store, theirs) => {
    const record = stores[store as keyof typeof stores]
    expect(fields(record as { properties: object })).toEqual(expect.arrayContaining(names(theirs)))
  })

  test('fields of a reflection and of a pull', () => {
    expect(fields(Reflection)).toEqual(expect.arrayContaining(names(spec.reflection_fields)))
    expect(fields(PullReply)).toEqual(expect.arrayContaining(names(spec.pull_fields)))
  })

  test('the step kinds of the loop', () => {
    const kinds = RunStep.anyOf.map((step) => step.properties.kind.const)
    expect(kinds).toEqual(expect.arrayContaining(names(spec.step_kinds)))
  })

  test('every event, each with a payload', () => {
    expect(eventNames).toEqual(expect.arrayContaining(names(spec.events)))
    expect(sorted(Object.keys(eventPayloads))).toEqual(sorted(eventNames))
  })
})

test('the limits of the specification', () => {
  expect(limits).toMatchObject(spec.limits)
})
