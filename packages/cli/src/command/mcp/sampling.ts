// How often a server may use the model.
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import { explainedUsage, parseArguments, printUsage } from '../../terminal/args.ts'
import { printServerRefusal } from './server.ts'

export const samplingUsage = explainedUsage(
  'tandem mcp sampling SERVER REQUESTS [--json]',
  'Sets how many requests to your model a server may make in one run, during its calls (0 to 100; 0 by default). Each request is shown in the result of the call.',
)

export async function sampling(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json: { type: 'boolean', default: false } }, samplingUsage)
  if (!given.ok) return given.code
  const [server_id, number, ...more] = given.words
  if (server_id === undefined || number === undefined || more.length > 0) return printUsage('specify a server and a number', samplingUsage)
  if (!/^\d{1,3}$/.test(number) || Number(number) > 100) return printUsage('the number must be 0 to 100', samplingUsage)
  const requests_per_run = Number(number)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const allowed = await client.call('mcp_server_allow_sampling', { server_id, requests_per_run })
    if (!allowed.ok) return printServerRefusal(allowed.error, server_id)
    const text =
      requests_per_run === 0
        ? 'may not use your model'
        : `may make ${number} ${number === '1' ? 'request' : 'requests'} to your model in a run`
    console.log(given.values.json ? JSON.stringify(allowed.value.server) : `${server_id} ${text}.`)
    return 0
  })
}
