// What the runtime reports about itself, and the self-test of the sandbox at startup.
import type { ListedExecutor } from '@tandem/contract/executor'
import { warningsFor } from '@tandem/contract/status'
import manifest from '../../package.json' with { type: 'json' }
import { type Clock, timestamp } from '../clock/clock.ts'
import type { ParkedDelivery } from '../event/lifecycle/lifecycle.ts'
import type { Features } from '../feature/features.ts'
import type { CommandSandbox } from '../sandbox/command/sandbox.ts'
import { describeFailure } from '../sandbox/command/self-test.ts'
import type { Features as CommandPorts } from './features.ts'

interface AboutPorts {
  readonly clock: Clock
  readonly sandbox: Pick<CommandSandbox, 'selfTest'>
  /** The configured models; null if there are none. */
  model(): { readonly base_url: string; readonly default_model: string | null } | null
  /** Deliveries of lifecycle events that fail repeatedly. */
  parked(): readonly ParkedDelivery[]
  /** The remote executors, with their state. */
  executors(): readonly ListedExecutor[]
  /** The states that features report. */
  states: Features['states']
  log(line: string): void
}

type About = CommandPorts['about'] & {
  /** Runs the self-test of the sandbox now, not before the first command, and logs what failed. */
  testSandbox(): Promise<void>
}

export function aboutRuntime({ clock, sandbox, model, parked, executors, states, log }: AboutPorts): About {
  return {
    version: manifest.version,
    started_at: timestamp(clock.now()),
    warnings: () => warningsFor(process.getuid?.() ?? null),
    async sandbox() {
      const { checks, ...report } = await sandbox.selfTest()
      return { ...report, checks: checks.map((check) => ({ ...check })) }
    },
    model() {
      const known = model()
      return known
        ? { state: 'set', base_url: known.base_url, default_model: known.default_model }
        : { state: 'unset', base_url: null, default_model: null }
    },
    parkedDeliveries: () => [...parked()],
    executors: () =>
      executors().map(({ executor_id, name, state, negotiation }) => ({
        ...{ executor_id, name, state },
        reason: negotiation?.outcome === 'failed' ? negotiation.reason : null,
        message: negotiation?.outcome === 'failed' ? negotiation.failure_contract.details.message : null,
        next_attempt_at: negotiation?.next_attempt_at ?? null,
      })),
    featureStates: () => states().map((state) => ({ ...state })),
    async testSandbox() {
      try {
        const report = await sandbox.selfTest()
        if (report.state !== 'enforced') log(`commands cannot be restricted on this machine: ${describeFailure(report)}. ${report.remedy}`)
      } catch (error) {
        log(`the sandbox could not be tested: ${String(error)}`)
      }
    },
  }
}
