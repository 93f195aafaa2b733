// Checks requirements in the namespaces that it was started in, and prints the results.
import { checkCompatibility } from '../../../src/skill/compatibility.ts'
import { openHost } from '../../../src/skill/host.ts'

const { requires, workspace, environment } = JSON.parse(process.argv[2] ?? '{}')
const host = openHost({ platform: process.platform, user_home: '/', environment, workspace, sandbox_mode: 'workspace', executors: [] })
console.log(JSON.stringify(await checkCompatibility(requires, host, workspace)))
