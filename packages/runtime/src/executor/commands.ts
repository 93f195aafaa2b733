import { executorLimits, type ListedExecutor } from '@tandem/contract/executor'
import type { CommandTable } from '../feature/command-table.ts'
import { pageBy } from '../feature/cursor.ts'
import { invalidField, type Outcome } from '../feature/outcome.ts'
import { ExecutorFailure } from './connection.ts'
import type { ExecutorRecord, ExecutorRecords } from './executor-records.ts'
import type { NegotiationSchedule } from './negotiation-schedule.ts'
import { type ExecutorAddress, executorAddress } from './rule/address.ts'
import { failureContract } from './rule/outcome.ts'

export interface ExecutorCommandPorts {
  readonly records: ExecutorRecords
  readonly schedule: NegotiationSchedule
  listed(executor: ExecutorRecord): ListedExecutor
  isAgent(agent_id: string): boolean
  /** Throws an `ExecutorFailure`. Null for plain http. */
  certificateAt(address: ExecutorAddress): Promise<string | null>
  /** An executor was added or removed. */
  changed(): void
}

export function executorHandlers({ records, schedule, listed, isAgent, certificateAt, changed }: ExecutorCommandPorts): CommandTable {
  async function presented(address: ExecutorAddress): Promise<Outcome<string | null>> {
    try {
      return { ok: true, value: await certificateAt(address) }
    } catch (error) {
      if (!(error instanceof ExecutorFailure)) throw error
      const { reason, message } = error
      const failure_contract = failureContract({ executor_url: address.executor_url, name: address.authority }, { reason, message })
      return { ok: false, code: 'executor_unavailable', message: failure_contract.details.message, failure_contract }
    }
  }

  /** An https address is stored only with the fingerprint that a user entered or confirmed. */
  async function confirmed(address: ExecutorAddress, certificate_sha256: string | null): Promise<Outcome<string | null>> {
    if (address.scheme === 'http')
      return certificate_sha256 === null
        ? { ok: true, value: null }
        : invalidField('certificate_sha256', 'must be null for an http address, which has no certificate')
    if (certificate_sha256 !== null) return { ok: true, value: certificate_sha256 }
    const shown = await presented(address)
    if (!shown.ok) return shown
    return {
      ok: false,
      code: 'consent_needed',
      message: `the certificate at ${address.authority} has the fingerprint ${shown.value}`,
      remedy: 'Compare it with the one that the executor printed when it started, then add the executor with it.',
    }
  }

  function shown(executor_id: string): Outcome<{ executor: ListedExecutor }> {
    const executor = records.get(executor_id)
    return executor ? { ok: true, value: { executor: listed(executor) } } : notFound(executor_id)
  }

  return {
    executor_list: (paging) => pageBy('executor_list', records.list().map(listed), ({ executor_id }) => executor_id, paging),
    async executor_preview({ executor_url }) {
      const parsed = executorAddress(executor_url)
      if (!parsed.ok) return invalidField('executor_url', parsed.why)
      const found = await presented(parsed.address)
      return found.ok ? { ok: true, value: { executor_url: parsed.address.executor_url, certificate_sha256: found.value } } : found
    },
    async executor_add({ name, executor_url, token, certificate_sha256 }) {
      const parsed = executorAddress(executor_url)
      if (!parsed.ok) return invalidField('executor_url', parsed.why)
      const fingerprint = await confirmed(parsed.address, certificate_sha256)
      if (!fingerprint.ok) return fingerprint
      if (records.named(name)) return invalidField('name', `is ${name}, which another executor has`)
      if (records.list().length >= executorLimits.executors)
        return { ok: false, code: 'limit_reached', message: `there are already ${executorLimits.executors} executors` }
      const added = records.add({ name, executor_url: parsed.address.executor_url, certificate_sha256: fingerprint.value, token })
      changed()
      await schedule.attempt(added.executor_id)
      return shown(added.executor_id)
    },
    async executor_test({ executor_id }) {
      if (!records.get(executor_id)) return notFound(executor_id)
      await schedule.attempt(executor_id)
      return shown(executor_id)
    },
    executor_grant({ executor_id, agent_id }) {
      if (!records.get(executor_id)) return notFound(executor_id)
      if (!isAgent(agent_id)) return { ok: false, code: 'not_found', message: `there is no agent ${agent_id}` }
      records.grant(executor_id, agent_id)
      return shown(executor_id)
    },
    executor_revoke({ executor_id, agent_id }) {
      if (!records.get(executor_id)) return notFound(executor_id)
      records.revoke(executor_id, agent_id)
      return shown(executor_id)
    },
    executor_remove({ executor_id }) {
      schedule.forget(executor_id)
      if (!records.remove(executor_id)) return notFound(executor_id)
      changed()
      return { ok: true, value: { executor_id } }
    },
  }
}

function notFound(executor_id: string): Outcome<never> {
  return { ok: false, code: 'not_found', message: `there is no remote executor ${executor_id}` }
}
