import type { Conversation } from '@tandem/contract/command'
import type { EventData } from '@tandem/contract/event'
import type { CommandTable } from '../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../feature/cursor.ts'
import { agentNotFound, conversationNotFound } from '../feature/not-found.ts'
import type { Outcome } from '../feature/outcome.ts'
import { branchPointOf } from '../journal/branches.ts'
import { type ConversationRecord, type RunOptions, toConversation, untitled } from '../journal/conversations.ts'
import { ownRun } from '../journal/own-run.ts'
import type { NewStep } from '../journal/step.ts'
import { writeStatus } from '../run/status-messages.ts'
import type { Features } from './features.ts'
import { distinctNames } from './folder/distinct-names.ts'
import { messageListHandler } from './message-list.ts'

type ConversationChange = EventData<'conversation_changed'>['change']

export function conversationHandlers(features: Pick<Features, 'store' | 'journal' | 'events' | 'agents' | 'workspaces'>): CommandTable {
  const { store, journal, events, agents, workspaces } = features
  const { conversations, messages } = journal

  function shown(conversation_id: string): Outcome<{ conversation: Conversation }> {
    const record = conversations.get(conversation_id)
    return record
      ? { ok: true, value: { conversation: toConversation(record) } }
      : conversationNotFound(conversation_id, conversations.wasErased(conversation_id))
  }

  /** Other devices get the change as a step of the last run on this device; no device writes to the journal of another. */
  function change(
    conversation_id: string,
    write: () => void,
    { step, is }: { readonly step: NewStep; readonly is: ConversationChange },
  ): Outcome<{ conversation: Conversation }> {
    return store.transaction(() => {
      const conversation = conversations.get(conversation_id)
      if (!conversation) return conversationNotFound(conversation_id, conversations.wasErased(conversation_id))
      const own = ownRun(journal, store.device_id, conversation_id)
      if (!own && (conversation.workspace === '' || journal.runsOf(conversation.no).length > 0)) return elsewhere(conversation_id)
      write()
      if (own) journal.append(own.run_id, step)
      events.emit('conversation_changed', { agent_id: conversation.agent_id, conversation_id }, { change: is })
      return shown(conversation_id)
    })
  }

  /** Other windows and programs learn of it before its first run. */
  function create(given: Parameters<typeof conversations.create>[0]): Outcome<{ conversation: Conversation }> {
    return store.transaction(() => {
      const record = conversations.create(given)
      const { agent_id, conversation_id } = record
      events.emit('conversation_changed', { agent_id, conversation_id }, { change: 'created' })
      return { ok: true, value: { conversation: toConversation(record) } }
    })
  }

  return {
    conversation_create({ agent_id, title = untitled, workspace, model, sandbox_mode }) {
      const agent = agent_id === undefined ? agents.default() : agents.get(agent_id)
      if (!agent) return agentNotFound(agent_id)
      const folder = workspace === undefined ? workspaces.fresh() : workspaces.check(workspace)
      if (!folder.ok) return folder
      const options = chosenOf({ model, sandbox_mode })
      return create({ agent_id: agent.agent_id, title, workspace: folder.value, ...options })
    },
    conversation_branch({ message_id, keep, key }) {
      const made = key === undefined ? undefined : conversations.branchedBy(key)
      if (made) return { ok: true, value: { conversation: toConversation(made) } }
      const message = messages.get(message_id)
      const from = message && conversations.at(message.conversation)
      if (!message || !from) return { ok: false, code: 'not_found', message: `there is no message ${message_id}` }
      const branch = branchPointOf(journal, message, keep)
      if (!branch) {
        const why = `message ${message_id} is not part of a run yet: wait until the agent has received it, or choose another message`
        return { ok: false, code: 'transition_refused', message: why }
      }
      if (from.deleted_at !== null) {
        const why = `conversation ${from.conversation_id} is deleted: restore it, or choose a message of another conversation`
        return { ok: false, code: 'transition_refused', message: why }
      }
      const { agent_id, title, workspace, model, sandbox_mode } = from
      return create({ agent_id, title, workspace, model, sandbox_mode, branch, ...(key === undefined ? {} : { branch_key: key }) })
    },
    conversation_list({ agent_id, hidden, deleted, pinned, families_of, ...paging }) {
      const from = positionOf('conversation_list', paging, ['number', 'number'])
      if (!from.ok) return from
      const before = from.value && { updated_at: Number(from.value[0]), no: Number(from.value[1]) }
      const records = conversations.list({
        ...(agent_id === undefined ? {} : { agent_id }),
        ...(hidden === undefined ? {} : { hidden }),
        ...(deleted === undefined ? {} : { deleted }),
        ...(pinned === undefined ? {} : { pinned }),
        ...(families_of === undefined ? {} : { families_of }),
        ...(before ? { before } : {}),
        limit: limitOf(paging) + 1,
      })
      const position = ({ updated_at, no }: ConversationRecord) => [updated_at, no]
      const { items, next_cursor } = pageOf('conversation_list', records, position, paging)
      return { ok: true, value: { items: items.map(toConversation), next_cursor } }
    },
    conversation_get: ({ conversation_id }) => shown(conversation_id),
    conversation_rename({ conversation_id, title }) {
      const step: NewStep = { kind: 'conversation.renamed', title }
      return change(conversation_id, () => conversations.rename(conversation_id, title), { step, is: 'renamed' })
    },
    conversation_hide({ conversation_id, hidden }) {
      const step: NewStep = { kind: 'conversation.hidden', hidden }
      return change(conversation_id, () => conversations.hide(conversation_id, hidden), { step, is: hidden ? 'archived' : 'unarchived' })
    },
    conversation_pin({ conversation_id, pinned }) {
      const step: NewStep = { kind: 'conversation.pinned', pinned }
      return change(conversation_id, () => conversations.pin(conversation_id, pinned), { step, is: pinned ? 'pinned' : 'unpinned' })
    },
    conversation_set_workspace({ conversation_id, workspace }) {
      const folder = workspaces.check(workspace)
      if (!folder.ok) return folder
      return store.transaction(() => {
        const conversation = conversations.get(conversation_id)
        if (!conversation) return conversationNotFound(conversation_id)
        if (conversation.workspace === folder.value) return shown(conversation_id)
        conversations.moveTo(conversation_id, folder.value)
        const last = journal.runsOf(conversation.no).at(-1)
        // What another device did belongs to no folder of this one.
        if (last && conversation.workspace !== '') {
          const { from, to } = distinctNames(conversation.workspace, folder.value)
          const isOpen = last.state === 'running' || last.state === 'paused'
          writeStatus(journal, last, { kind: 'folder_changed', from, to, isOpen })
        }
        return shown(conversation_id)
      })
    },
    // On this device only: another one may have other models, or the same by other names.
    conversation_set_run_options({ conversation_id, model, sandbox_mode }) {
      return store.transaction(() => {
        const conversation = conversations.get(conversation_id)
        if (!conversation) return conversationNotFound(conversation_id, conversations.wasErased(conversation_id))
        const options = { model: conversation.model, sandbox_mode: conversation.sandbox_mode, ...chosenOf({ model, sandbox_mode }) }
        conversations.setRunOptions(conversation_id, options)
        // Windows and terminals that show the conversation show what its next run uses.
        events.emit('conversation_options_changed', { agent_id: conversation.agent_id, conversation_id }, options)
        return shown(conversation_id)
      })
    },
    ...messageListHandler({ store, journal }),
  }
}

/** Without the options that are absent, which stay as they are. */
function chosenOf({ model, sandbox_mode }: { readonly [Name in keyof RunOptions]?: RunOptions[Name] | undefined }): Partial<RunOptions> {
  return { ...(model === undefined ? {} : { model }), ...(sandbox_mode === undefined ? {} : { sandbox_mode }) }
}

function elsewhere(conversation_id: string): Outcome<never> {
  const message = `conversation ${conversation_id} has only runs of other devices: change it there, or start a run on this device first`
  return { ok: false, code: 'run_elsewhere', message }
}
