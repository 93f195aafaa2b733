// One process that reviews the memories of an agent, and may be killed meanwhile.
// usage: node --import test-crash-preload.ts test-review-process.ts HOME WORKSPACE AGENT_ID
import { openRuntime } from '../../src/runtime.ts'

const [home = '', workspace = '', agent_id = ''] = process.argv.slice(2)
const runtime = openRuntime({ home, workspace, environment: { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off' }, log: () => undefined })
const answer = await runtime.commands.call('memory_run_heartbeat_review', { agent_id })
await runtime.stop()
if (!answer.ok) throw new Error(answer.error.message)
