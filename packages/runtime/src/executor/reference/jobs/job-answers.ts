// The endpoints of jobs.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type JobProblem, jobLimits, jobProblems } from '@tandem/contract/executor'
import { JobFilePath, JobRequest } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import { parsed, responseHeaders, send } from '../response.ts'
import type { JobAnswer, JobRefusal, Jobs } from './jobs.ts'

export interface JobAnswering {
  readonly jobs: Jobs
  /** Null if the body is longer. */
  read(limit: number): Promise<string | null>
}

interface Target {
  readonly job_id: string
  readonly part: 'job' | 'output' | 'cancel' | 'file'
  readonly from: number
  readonly path: string
}

export async function answerJob(request: IncomingMessage, response: ServerResponse, { jobs, read }: JobAnswering): Promise<void> {
  const target = targetOf(request.url ?? '')
  if (!target) return send(response, 404)
  const { job_id, path } = target
  const report = (answer: JobAnswer) => (answer.ok ? send(response, 200, answer.report) : refuse(response, job_id, answer))
  switch (`${request.method} ${target.part}`) {
    case 'PUT job': {
      const body = await read(jobLimits.request_bytes)
      if (body === null) return send(response, 413)
      const asked = parsed(body)
      if (!Check(JobRequest, asked))
        return refuse(response, job_id, { ok: false, code: 'invalid', message: `the request for job ${job_id} is not valid` })
      return report(jobs.start(job_id, asked))
    }
    case 'GET job':
      return report(jobs.get(job_id))
    case 'DELETE job':
      return report(await jobs.remove(job_id))
    case 'POST cancel':
      return report(await jobs.cancel(job_id))
    case 'GET output':
      return await sendOutput(response, jobs, target)
    case 'PUT file':
      return report(await jobs.receive(job_id, path, request))
    case 'GET file':
      return await sendFile(response, jobs, target)
    default:
      return send(response, 405)
  }
}

function targetOf(url: string): Target | null {
  const [, job_id, rest = ''] = /^\/jobs\/([0-9a-f]{64})(\/.*)?$/.exec(url) ?? []
  if (job_id === undefined) return null
  const target: Target = { job_id, part: 'job', from: 0, path: '' }
  if (rest === '') return target
  if (rest === '/cancel') return { ...target, part: 'cancel' }
  const [, from] = /^\/output(?:\?from=(\d{1,15}))?$/.exec(rest) ?? []
  if (rest.startsWith('/output'))
    return rest === '/output' || from !== undefined ? { ...target, part: 'output', from: Number(from ?? 0) } : null
  const path = rest.startsWith('/files/') ? decoded(rest.slice('/files/'.length)) : null
  return path !== null && Check(JobFilePath, path) ? { ...target, part: 'file', path } : null
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not an encoding of anything.
    return null
  }
}

function refuse(response: ServerResponse, job_id: string, { code, message }: JobRefusal): void {
  const problem: JobProblem = { job_id, code, message: message.slice(0, 500) }
  send(response, jobProblems[code], problem)
}

async function sendOutput(response: ServerResponse, jobs: Jobs, { job_id, from }: Target): Promise<void> {
  const ending = new AbortController()
  response.once('close', () => ending.abort())
  const output = jobs.output(job_id, from, ending.signal)
  if (!output.ok) return refuse(response, job_id, output)
  response.writeHead(200, { 'content-type': 'application/octet-stream', ...responseHeaders })
  response.flushHeaders()
  await pipeline(output.stream, response)
}

async function sendFile(response: ServerResponse, jobs: Jobs, { job_id, path }: Target): Promise<void> {
  const file = await jobs.file(job_id, path)
  if (!('handle' in file)) return refuse(response, job_id, file)
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': file.bytes, ...responseHeaders })
  await pipeline(file.handle.createReadStream(), response)
}
