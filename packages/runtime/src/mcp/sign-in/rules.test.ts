// The pure rules of a sign-in: addresses, refusals of servers, and where metadata is.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressFault, coversServer, hostPattern, isSameIssuer } from './address.ts'
import { readChallenge, readScope } from './challenge.ts'
import { authorizationServerAddresses, resourceMetadataAddresses } from './metadata.ts'

describe('addresses of a sign-in', () => {
  const remote = 'https://mcp.example/v1'
  const local = 'http://127.0.0.1:4000/mcp'
  test.each([
    ['https://login.example/', remote, null],
    ['https://login.example:8443/tenant?x=1', remote, null],
    ['http://login.example/', remote, 'does not use https'],
    ['ftp://login.example/', remote, 'does not use https'],
    ['login.example', remote, 'is not a valid address'],
    [`https://login.example/${'a'.repeat(2_048)}`, remote, 'is not a valid address'],
    ['https://user@login.example/', remote, 'contains a user name or password'],
    ['https://login.example/#token', remote, 'contains a fragment'],
    ['http://127.0.0.1:9000/', remote, 'is on this device, but the MCP server is not'],
    ['https://localhost/', remote, 'is on this device, but the MCP server is not'],
    ['https://[::1]/', remote, 'is on this device, but the MCP server is not'],
    ['https://2130706433/', remote, 'is on this device, but the MCP server is not'],
    ['https://192.168.1.1/', remote, 'is in a private network, but the MCP server is not'],
    ['https://169.254.169.254/', remote, 'is in a private network, but the MCP server is not'],
    ['https://192.168.1.1/', 'https://192.168.1.1:8443/mcp', null],
    ['https://192.168.1.2/', 'https://192.168.1.1:8443/mcp', 'is in a private network, but the MCP server is not'],
    ['http://192.168.1.1/', 'https://192.168.1.1/mcp', 'does not use https'],
    ['http://127.0.0.1:9000/', local, null],
    ['http://localhost:9000/', local, null],
    ['http://login.example/', local, 'does not use https'],
    ['https://login.example/', local, null],
  ])('%s for %s: %s', (address, server, fault) => {
    expect(addressFault(address, server)).toBe(fault)
  })

  test('whatever is accepted is https, or on this device like its server', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), fc.string()), (address) => {
        if (addressFault(address, remote) === null) expect(new URL(address).protocol).toBe('https:')
      }),
    )
  })

  test.each([
    ['https://mcp.example/v1', true],
    ['https://mcp.example/v1/', true],
    ['https://mcp.example', true],
    ['https://mcp.example/', true],
    ['https://MCP.example/v1', true],
    ['https://mcp.example/v', false],
    ['https://mcp.example/v1/deeper', false],
    ['https://mcp.example:8443/v1', false],
    ['http://mcp.example/v1', false],
    ['https://mcp.example/v1?x=1', false],
    ['mcp', false],
  ])('the resource %s covers the server: %s', (resource, covers) => {
    expect(coversServer(resource, remote)).toBe(covers)
  })

  test('an issuer is compared as text, except for a slash at its end', () => {
    expect(isSameIssuer('https://a.example', 'https://a.example/')).toBe(true)
    expect(isSameIssuer('https://a.example/x', 'https://a.example/y')).toBe(false)
    expect(isSameIssuer('https://A.example', 'https://a.example')).toBe(false)
  })

  test('a host is granted with its port', () => {
    expect([hostPattern('https://a.example/x'), hostPattern('http://127.0.0.1:8/')]).toEqual(['a.example:443', '127.0.0.1:8'])
  })
})

describe('the refusal of a server', () => {
  const nothing = { resource_metadata: null, scope: null, error: null }
  test.each([
    [undefined, null],
    ['', null],
    ['Basic realm="x"', null],
    ['Negotiate, Bearerish', null],
    ['Bearer', nothing],
    ['bearer realm="x"', nothing],
    ['Basic realm="x", Bearer scope=read', { ...nothing, scope: 'read' }],
    [
      'Bearer resource_metadata="https://a.example/x", scope="read write"',
      { ...nothing, resource_metadata: 'https://a.example/x', scope: 'read write' },
    ],
    ['Bearer error="insufficient_scope", scope="files:write"', { ...nothing, error: 'insufficient_scope', scope: 'files:write' }],
    ['Bearer error_description="scope=\\"all\\"", scope="read"', { ...nothing, scope: 'read' }],
    [`Bearer scope="${'a'.repeat(9_000)}"`, null],
  ])('%s', (header, challenge) => {
    expect(readChallenge(header)).toEqual(challenge)
  })

  test('scopes are bounded, and contain nothing but scopes', () => {
    expect(readScope(['read', 1, 'a b', 'with"quote', 'read', 'write'])).toBe('read write')
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.array(fc.anything())), (value) => {
        const words = readScope(value)?.split(' ') ?? []
        expect(words.length).toBeLessThanOrEqual(50)
        for (const word of words) expect(word).toMatch(/^[!#-[\]-~]{1,200}$/)
      }),
    )
  })
})

describe('where metadata is', () => {
  test('of a server', () => {
    const root = 'https://mcp.example/.well-known/oauth-protected-resource'
    expect(resourceMetadataAddresses('https://mcp.example/')).toEqual([root])
    expect(resourceMetadataAddresses('https://mcp.example/v1/mcp')).toEqual([`${root}/v1/mcp`, root])
  })

  test('of an authorization server', () => {
    expect(authorizationServerAddresses('https://login.example')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server',
      'https://login.example/.well-known/openid-configuration',
    ])
    expect(authorizationServerAddresses('https://login.example/tenant/')).toEqual([
      'https://login.example/.well-known/oauth-authorization-server/tenant',
      'https://login.example/.well-known/openid-configuration/tenant',
      'https://login.example/tenant/.well-known/openid-configuration',
    ])
  })
})
