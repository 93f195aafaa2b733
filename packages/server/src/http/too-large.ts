import { type Refusal, refuse } from './refusal.ts'

export function bodyTooLarge(limit: number): Refusal {
  return refuse('payload_too_large', `the body is larger than ${limit} bytes`, { limits: [{ name: 'body_bytes', limit }] })
}
