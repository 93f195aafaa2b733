// A reference executor in its own process, which a test can kill: the other machine.
// usage: fork(test-machine-process.ts, [FOLDER, PORT])
import { startReferenceExecutor } from '../../../src/executor/reference/reference-executor.ts'

const [folder = '', port = '0'] = process.argv.slice(2)

const start = await startReferenceExecutor({
  ...{ folder, listen: '127.0.0.2', port: Number(port), hosts: ['127.0.0.3'], plain: false, capabilities: [], renew_token: false },
  ...{ allow_root: true, environment: { PATH: process.env.PATH, HOME: process.env.HOME }, uid: null },
})
if (!start.ok) throw new Error(start.problem)
const { url, certificate_sha256, new_token } = start.executor
process.send?.({ port: Number(new URL(url).port), certificate_sha256, token: new_token })
process.on('message', () => process.send?.({ peak_rss: process.resourceUsage().maxRSS * 1_024 }))
