// The cloud for the engine: a few calls, with results as values. Sockets, tokens and retries are behind it.
import type { Device, DeviceRegistration, Heartbeat, HeartbeatReply } from '@tandem/contract/device'
import type { PullQuery, PullReply, PushReply, PushRequest } from '@tandem/contract/sync'
import type { Answer } from '../../account/answer.ts'

export type { Answer, NoAnswer } from '../../account/answer.ts'

export interface Cloud {
  push(request: PushRequest): Promise<Answer<PushReply>>
  pull(query: PullQuery): Promise<Answer<PullReply>>
}

export interface CloudDevice {
  device(device_id: string): Promise<Answer<Device>>
  register(device: DeviceRegistration): Promise<Answer<unknown>>
  heartbeat(heartbeat: Heartbeat): Promise<Answer<HeartbeatReply>>
}

export interface CloudFiles {
  /** The same name twice is one file. */
  send(name: string, path: string): Promise<Answer<unknown>>
  fetch(name: string, path: string): Promise<Answer<'fetched' | 'missing'>>
}
