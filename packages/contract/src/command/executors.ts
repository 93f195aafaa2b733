// The remote executors of this device: adding one with the fingerprint of its certificate, testing and removing it.
import Type from 'typebox'
import { ExecutorName, ExecutorUrl, ListedExecutor } from '../executor/schema.ts'
import { Id, Key, nullable, object, pageOf, Sha256 } from '../shape.ts'
import { type Command, listParams } from './command.ts'
import type { CommandNameIn } from './index.ts'

const one = object({ executor_id: Id })
const granted = object({ executor_id: Id, agent_id: Key })
const listed = object({ executor: ListedExecutor })

/** A secret: it is accepted and never returned. */
const Token = Type.String({ minLength: 16, maxLength: 1_000, pattern: '^[\\x21-\\x7e]+$' })

export const executorCommands = {
  executor_list: {
    summary: 'List the remote executors of this device, with their state and the time of the next attempt.',
    params: listParams({}),
    result: pageOf(ListedExecutor),
  },
  executor_preview: {
    summary: 'Show the fingerprint of the certificate at an address, without sending anything to it.',
    params: object({ executor_url: ExecutorUrl }),
    /** Null for plain http, which has no certificate and is allowed only on this device. */
    result: object({ executor_url: ExecutorUrl, certificate_sha256: nullable(Sha256) }),
  },
  executor_add: {
    summary: 'Add a remote executor and test it. An https address needs the fingerprint of its certificate.',
    params: object({
      name: ExecutorName,
      executor_url: ExecutorUrl,
      token: Token,
      certificate_sha256: nullable(Sha256),
    }),
    result: listed,
  },
  executor_test: { summary: 'Negotiate with a remote executor now.', params: one, result: listed },
  executor_grant: {
    summary: 'Let an agent run commands on a remote executor. Each command needs approval. This setting is not synchronized.',
    params: granted,
    result: listed,
  },
  executor_revoke: { summary: 'No longer let an agent run commands on a remote executor.', params: granted, result: listed },
  executor_remove: { summary: 'Remove a remote executor, with its token.', params: one, result: one },
} satisfies Record<CommandNameIn<'executors'>, Command>
