// Starts a run with what a user, a schedule or a task asks for.
import { existsSync } from 'node:fs'
import { invalidField, type Outcome, rejection } from '../../feature/outcome.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import { noModel } from '../failures.ts'
import { restoreInterrupted } from '../recovery/restore.ts'
import type { StartRequest } from '../start-request.ts'
import { changesAtStart, writeStatus } from '../status-messages.ts'
import { settingsBeforeFirstRun, titleOf } from '../titles.ts'
import type { ControlPorts } from './live-runs.ts'

export function openStarting({ ports, kept, live, rejections }: ControlPorts): (request: StartRequest) => Outcome<RunRecord> {
  const { store, journal } = ports
  const nameOf = (device_id: string) => ports.deviceName?.(device_id) ?? null

  function tryStart({
    conversation_id,
    author,
    text,
    attachments = [],
    model,
    sandbox_mode,
    key,
    queued,
  }: StartRequest): Outcome<RunRecord> {
    const started = key === undefined ? undefined : journal.startedBy(key)
    if (started) return { ok: true, value: started }
    const conversation = journal.conversations.get(conversation_id)
    if (!conversation) return rejection('not_found', `there is no conversation ${conversation_id}`)
    if (conversation.deleted_at !== null)
      return rejection('transition_refused', `conversation ${conversation_id} is deleted: restore it, or start a new conversation`)
    const agent = ports.agent(conversation.agent_id)
    if (!agent) return rejection('not_found', `there is no agent ${conversation.agent_id}`)
    const open = live.openRunOf(conversation.no)
    if (open) return live.busy(open)
    if (!existsSync(conversation.workspace)) {
      const place = conversation.workspace || 'no folder on this device'
      const message = `the folder of the conversation does not exist (${place}): choose an existing folder`
      return invalidField('workspace', 'must be a folder that exists on this device', message)
    }
    const back = journal.runsOf(conversation.no).find(({ run_id }) => live.isRestoring(run_id))
    if (back) return rejection('run_busy', `run ${back.run_id} of this conversation is being restored`)
    const stuck = journal.runsOf(conversation.no).find(({ run_id }) => kept.isStuck(run_id))
    if (stuck) return restoreInterrupted(stuck.run_id)
    const name = model ?? conversation.model ?? agent.model ?? ports.defaultModel()
    if (name === null || !ports.modelFor(name)) {
      const failure_contract = noModel(name)
      return { ok: false, code: 'model_unavailable', message: failure_contract.details.message, failure_contract }
    }
    const run = store.transaction(() => {
      const previous = journal.runsOf(conversation.no).at(-1)
      const named = queued ? { message_id: queued.message_id } : {}
      const message_id = journal.messages.write({
        ...named,
        conversation: conversation.no,
        run: null,
        role: 'user',
        author,
        text,
        attachments,
      })
      const begun = journal.start({
        conversation: conversation.no,
        agent_id: conversation.agent_id,
        // The task of a node may have content that stays on this device; its conversation has the name of the node.
        title: author === 'workflow' ? conversation.title : titleOf(text),
        model: name,
        sandbox_mode: sandbox_mode ?? conversation.sandbox_mode ?? agent.sandbox_mode,
        message_id,
        ...(key === undefined ? {} : { start_key: key }),
      })
      if (!previous) for (const step of settingsBeforeFirstRun(conversation, begun)) journal.append(begun.run_id, step)
      queued?.started(begun)
      for (const news of changesAtStart(previous, begun, nameOf)) writeStatus(journal, begun, news)
      return begun
    })
    ports.crashPoint('run_started')
    live.go(run.run_id)
    return { ok: true, value: run }
  }

  return (request) => {
    const started = live.isStopping() ? rejection('storage_unavailable', 'the runtime is stopping') : tryStart(request)
    return started.ok ? started : rejections.start(request.conversation_id, started)
  }
}
