import Type, { type Static } from 'typebox'
import { RuntimeEvent } from '../../event/schema.ts'
import { executorStates, negotiationFailureNames } from '../../executor/index.ts'
import { Count, Flag, Id, Key, Line, listOf, nullable, object, oneOf, pageOf, Text, Timestamp } from '../../shape.ts'
import { runtimeWarningCodes } from '../../status/index.ts'
import { type Command, listParams } from '../command.ts'
import { Folder } from './conversations.ts'
import { lifecycleEventNames, modelAddressStates, sandboxStates, searchProviderNames, tourStates, windowCloseBehaviors } from './names.ts'

/** An event with its position in the record, from which a subscription can continue. */
export const RecordedEvent = object({ no: Count, event: RuntimeEvent })
export type RecordedEvent = Static<typeof RecordedEvent>

export const SandboxStatus = object({
  state: oneOf(sandboxStates),
  backend: nullable(Line),
  /** Each escape that was tried. */
  checks: listOf(object({ name: Line, held: Flag, detail: Text })),
  detail: Text,
  remedy: Text,
})
export type SandboxStatus = Static<typeof SandboxStatus>

/** The address of a model as its own clients use it, or of a search. */
const BaseUrl = Type.String({ minLength: 1, maxLength: 2_000, pattern: '^https?://[^\\s@]+$' })

/** Accepted and never returned. */
export const Secret = Type.String({ minLength: 1, maxLength: 10_000, pattern: '^[\\x21-\\x7e]+$' })

const shown = {
  default_model: nullable(Line),
  model_base_url: nullable(BaseUrl),
  /** In tokens. Without it, the model's server or a table of known models provides the size of the context window. */
  model_context_window: nullable(Type.Integer({ minimum: 1_024, maximum: 100_000_000 })),
  search_provider: nullable(oneOf(searchProviderNames)),
  /** SearXNG's own address, or a relay of the provider. */
  search_url: nullable(BaseUrl),
  when_window_closes: oneOf(windowCloseBehaviors),
  tour: oneOf(tourStates),
  /** How long a run waits for listeners before it compacts its context. After that it compacts anyway, and the listeners finish later. */
  compaction_wait_seconds: Type.Integer({ minimum: 0, maximum: 600 }),
}

const SettingName = Type.String({ pattern: '^[a-z][a-z0-9_]{0,40}$' })

/** A setting of a feature. Each feature validates its own. */
const FeatureSetting = object({
  section: SettingName,
  setting: SettingName,
  value: Type.Union([Text, Type.Number(), Flag, Type.Null(), listOf(Line, { maxItems: 1_000 })]),
})
const Sections = listOf(FeatureSetting, { maxItems: 1_000 })

/** A key is accepted and never returned: only whether there is one. */
export const Settings = object({ ...shown, sections: Sections, model_key_set: Flag, search_key_set: Flag })
export type Settings = Static<typeof Settings>

/** A lifecycle event that a listener failed to process three times or more. It is kept and retried. */
const ParkedDelivery = object({
  listener: Line,
  event: oneOf(lifecycleEventNames),
  event_id: Id,
  subject: object({ kind: oneOf(['run', 'agent', 'conversation']), id: Key }),
  /** When it happened. */
  since: Timestamp,
  failures: Count,
  retry_at: Timestamp,
  reason: Text,
})

export const hostCommands = {
  event_list: {
    summary: 'List recorded events in order.',
    params: listParams({
      run_id: Type.Optional(Id),
      after_event: Type.Optional(Count),
      /** Start this many events before the end of the record. */
      last: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    }),
    result: pageOf(RecordedEvent),
  },
  runtime_status: {
    summary:
      'Show the runtime itself: its version, device, folder, warnings, sandbox, model, what it could not process, what works and what is not available yet.',
    params: object({}),
    result: object({
      version: Line,
      device_id: Key,
      home: Folder,
      started_at: Timestamp,
      /** What the user should always see while this runtime runs. */
      warnings: listOf(object({ code: oneOf(runtimeWarningCodes), message: Text, remedy: Text })),
      sandbox: SandboxStatus,
      model: object({ state: oneOf(modelAddressStates), base_url: nullable(Line), default_model: nullable(Line) }),
      parked_deliveries: listOf(ParkedDelivery),
      /** The remote executors of this device: their state, why one failed, and when the next attempt is. */
      executors: listOf(
        object({
          executor_id: Id,
          name: Line,
          state: oneOf(executorStates),
          reason: nullable(oneOf(negotiationFailureNames)),
          message: nullable(Text),
          next_attempt_at: nullable(Timestamp),
        }),
      ),
      /** `note`: what the user should know about it. */
      features: listOf(object({ name: Line, works: Flag, note: Type.Optional(Text) })),
      /** Names of the contract that this version does not implement. */
      not_built: object({
        tools: listOf(Line),
        commands: listOf(Line),
        events: listOf(Line),
        stores: listOf(Line),
        step_kinds: listOf(Line),
        workflow_event_kinds: listOf(Line),
        message_authors: listOf(Line),
        pause_reasons: listOf(Line),
        approval_answers: listOf(Line),
        failure_stages: listOf(Line),
      }),
    }),
  },
  runtime_get_settings: {
    summary: 'Show the settings of this device.',
    params: object({}),
    result: object({ settings: Settings }),
  },
  runtime_set_settings: {
    summary:
      'Change settings of this device. Settings that are not given stay the same; null removes one. A key belongs to its address: another host or provider does not receive it.',
    params: object({
      default_model: Type.Optional(shown.default_model),
      /** As users type it: a missing scheme is added, the path of a specific endpoint is removed. */
      model_base_url: Type.Optional(nullable(Line)),
      model_key: Type.Optional(nullable(Secret)),
      model_context_window: Type.Optional(shown.model_context_window),
      search_provider: Type.Optional(shown.search_provider),
      search_url: Type.Optional(shown.search_url),
      search_key: Type.Optional(nullable(Secret)),
      when_window_closes: Type.Optional(shown.when_window_closes),
      tour: Type.Optional(shown.tour),
      compaction_wait_seconds: Type.Optional(shown.compaction_wait_seconds),
      sections: Type.Optional(Sections),
    }),
    result: object({ settings: Settings }),
  },
  workspace_make_sample: {
    summary: 'Create a new sample folder for trying out agents.',
    params: object({}),
    result: object({ workspace: Folder }),
  },
} satisfies Record<string, Command>
