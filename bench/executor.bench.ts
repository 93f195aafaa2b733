// A command on a remote executor, compared with ssh to the same machine. Ours is stored on disk on both sides before it starts, runs in the
// sandbox, and could be resumed; ssh does none of this.
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../packages/runtime/src/clock/clock.ts'
import { openExecutorFeature } from '../packages/runtime/src/executor/feature.ts'
import { openFeatureContext } from '../packages/runtime/src/feature/open-feature-context.ts'
import { startTestMachine } from '../packages/runtime/test/support/executor/test-machine.ts'
import { freePort } from '../packages/runtime/test/support/mcp/test-mcp.ts'
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { startSsh } from './executor-ssh.ts'

const commands = 200
const outputBytes = 200_000_000
const rounds = 5

export const bench: Bench = {
  name: 'executor',
  summary: `true ${commands} times and ${outputBytes / 1e6} MB of output on a remote executor over TLS, compared with ssh, both on loopback`,
  async run(progress) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-bench-')))
    const machine = await startTestMachine(join(folder, 'machine'))
    const ssh = await startSsh(await freePort())
    const ours = await openOurs(join(folder, 'home'), machine)
    const jobs = join(folder, 'machine', 'jobs')
    const timedAndSettled = async (command: string) => {
      const took = await timed(() => ours.run(command))
      // It deletes its job after the answer, which must not slow down what is measured next.
      while (readdirSync(jobs).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      return took
    }
    try {
      progress('latency')
      const latency = { ours: [] as number[], ssh: [] as number[], shared: [] as number[] }
      // Alternating, so that a slow moment of the machine affects all of them.
      for (let count = -5; count < commands; count += 1) {
        const took = {
          ours: await timedAndSettled('true'),
          ssh: await timed(() => ssh.run('true', 'new')),
          shared: await timed(() => ssh.run('true', 'shared')),
        }
        if (count >= 0) for (const name of ['ours', 'ssh', 'shared'] as const) latency[name].push(took[name])
      }
      progress('throughput')
      const rate = { ours: [] as number[], ssh: [] as number[] }
      for (let round = 0; round < rounds; round += 1) {
        const command = `head -c ${outputBytes} /dev/zero`
        rate.ours.push(outputBytes / 1e3 / (await timedAndSettled(command)))
        rate.ssh.push(outputBytes / 1e3 / (await timed(() => ssh.run(command, 'new'))))
      }
      const row = (metric: string, value: (times: readonly number[]) => number): BenchRow => ({
        ...{ metric, unit: 'ms', better: 'lower', ours: value(latency.ours) },
        ...{ peers: { ssh: value(latency.ssh), 'ssh, connection kept open': value(latency.shared) }, limit: null, target: null, met: null },
      })
      return [
        row('true, median', median),
        row('true, 95th percentile', (times) => quantile(times, 0.95)),
        {
          ...{ metric: `${outputBytes / 1e6} MB of output`, unit: 'MB/s', better: 'higher', ours: median(rate.ours) },
          ...{ peers: { ssh: median(rate.ssh) }, limit: null, target: null, met: null },
        },
      ]
    } finally {
      await ours.close()
      ssh.stop()
      await machine.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function openOurs(home: string, machine: Awaited<ReturnType<typeof startTestMachine>>) {
  mkdirSync(home, { recursive: true })
  const ground = openFeatureContext({ home, environment: {}, clock: systemClock, life: 'errand', log: () => undefined })
  const feature = openExecutorFeature(ground, { version: '0.0.0', workspace: home, isAgent: () => true })
  const { port, token, certificate_sha256 } = machine
  const added = { name: 'build', executor_url: `https://127.0.0.2:${port}`, token: token ?? '', certificate_sha256 }
  const answer = await feature.commands?.executor_add?.(added)
  if (!answer?.ok) throw new Error('the executor was not added')
  await feature.commands?.executor_grant?.({ executor_id: answer.value.executor.executor_id, agent_id: 'agent' })
  let calls = 0
  return {
    async run(command: string): Promise<number> {
      calls += 1
      let bytes = 0
      const ids = { agent_id: 'agent', conversation_id: '', run_id: 'run', call_id: `call-${calls}` }
      const end = await feature.remote.run(
        ids,
        {
          executor: 'build',
          programs: ['bash'],
          source: null,
          args: ['-c', command],
          timeout_seconds: 600,
          send_files: [],
          fetch_files: [],
        },
        {
          signal: new AbortController().signal,
          content: () => Promise.reject(new Error('there are no files')),
          onOutput(chunk) {
            bytes += chunk.length
          },
        },
      )
      if (end.report.exit_code !== 0) throw new Error(`it ended with ${end.report.exit_code}`)
      end.settle()
      return bytes
    },
    async close() {
      await feature.stop?.()
      ground.store.close()
    },
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
