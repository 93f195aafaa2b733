import { expect, test } from 'vitest'
import { refusalOf } from './request-checks.ts'

const host = ['build.example:7447']
const authorization = ['Bearer right']
const seen: string[] = []
const ports = {
  hosts: ['build.example:7447', '10.0.0.1:7447'],
  isBlocked: (address: string) => address === '10.0.0.66',
  isToken: (token: string) => token === 'right',
  wrongToken: (address: string) => void seen.push(address),
}

/** In the order of the checks: the first that fails decides. */
test.each([
  ['the right token', { host, authorization }, '10.0.0.2', null, 0],
  ['another of its hosts', { host: ['10.0.0.1:7447'], authorization }, '10.0.0.2', null, 0],
  ['no host', { authorization }, '10.0.0.2', 421, 0],
  ['two hosts', { host: [...host, ...host], authorization }, '10.0.0.2', 421, 0],
  ['another host', { host: ['evil.example:7447'], authorization }, '10.0.0.2', 421, 0],
  ['another port', { host: ['build.example'], authorization }, '10.0.0.2', 421, 0],
  ['another spelling of the host', { host: ['BUILD.example:7447'], authorization }, '10.0.0.2', 421, 0],
  ['an origin', { host, authorization, origin: ['https://build.example:7447'] }, '10.0.0.2', 403, 0],
  ['the origin null', { host, authorization, origin: ['null'] }, '10.0.0.2', 403, 0],
  ['a blocked address, even with the token', { host, authorization }, '10.0.0.66', 429, 0],
  ['no token', { host }, '10.0.0.2', 401, 0],
  ['two tokens', { host, authorization: [...authorization, 'Bearer wrong'] }, '10.0.0.2', 401, 0],
  ['another scheme', { host, authorization: ['Basic right'] }, '10.0.0.2', 401, 0],
  ['a wrong token', { host, authorization: ['Bearer wrong'] }, '10.0.0.2', 401, 1],
  ['a wrong token with a wrong host', { host: ['x'], authorization: ['Bearer wrong'] }, '10.0.0.2', 421, 0],
])('%s', (_, headersDistinct, address, status, counted) => {
  seen.length = 0
  expect([refusalOf({ headersDistinct }, address, ports), seen.length]).toEqual([status, counted])
})
