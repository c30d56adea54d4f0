/**
 * Functions, events and errors of the production contracts, by signature, with selector or topic. The hashes are
 * literals, so that a test fails if a signature changes here and in the contract alike.
 */
export interface ProductionAbi {
  readonly functions: Readonly<Record<string, string>>;
  readonly events: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}

const ownableFunctions = {
  "cancelOwnershipHandover()": "0x54d1f13d",
  "completeOwnershipHandover(address)": "0xf04e283e",
  "owner()": "0x8da5cb5b",
  "ownershipHandoverExpiresAt(address)": "0xfee81cf4",
  "renounceOwnership()": "0x715018a6",
  "requestOwnershipHandover()": "0x25692962",
  "transferOwnership(address)": "0xf2fde38b",
};

const ownableEvents = {
  "OwnershipHandoverCanceled(address)": "0xfa7b8eab7da67f412cc9575ed43464468f9bfbae89d1675917346ca6d8fe3c92",
  "OwnershipHandoverRequested(address)": "0xdbf36a107da19e49527a7176a1babf963b4b0ff8cde35ee35d6cd8f1f9ac7e1d",
  "OwnershipTransferred(address,address)":
    "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0",
};

const ownableErrors = {
  "AlreadyInitialized()": "0x0dc149f0",
  "NewOwnerIsZeroAddress()": "0x7448fbae",
  "NoHandoverRequest()": "0x6f5e8818",
  "Unauthorized()": "0x82b42900",
};

const CALLS = "(address,bool,uint256,bytes)[]";
const PERMITS_2612 = "(address,address,uint256,uint256,uint256,uint8,bytes32,bytes32)[]";
const PERMITS_3009 = "(address,uint256,uint256,uint256,uint8,bytes32,bytes32)[]";
const PERMIT2_BATCH = "((address,uint256)[],uint256,uint256)";

const routerFunctions = {
  "cleanupErc20sViaCall(address[],address[],bytes[],uint256[])": "0x73b7bb2f",
  "cleanupNativeViaCall(uint256,address,bytes)": "0x5d1fe6a2",
  "onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)": "0xbc197c81",
  "onERC1155Received(address,address,uint256,uint256,bytes)": "0xf23a6e61",
  "onERC721Received(address,address,uint256,bytes)": "0x150b7a02",
};

const routerEvents = {
  "SolverCallExecuted(address,bytes,uint256)":
    "0x93485dcd31a905e3ffd7b012abe3438fa8fa77f98ddc9f50e879d3fa7ccdc324",
  "SolverNativeTransfer(address,uint256)":
    "0xd35467972d1fda5b63c735f59d3974fa51785a41a92aa3ed1b70832836f8dba6",
};

const fundsMovement = {
  "FundsMovement(address,address,address,uint256,bytes)":
    "0xafbab204e8271965231d37baed9b1abca8725b7409c70314455f68bc89142b91",
};

const routerErrors = {
  "ArrayLengthsMismatch()": "0x3b800a46",
  "CallFailed()": "0x3204506f",
  "InvalidMsgSender(address,address)": "0x802647ac",
  "InvalidRecipient(address)": "0x17858bbe",
  "NativeTransferFailed()": "0xf4b3b1bc",
  "NoRecipientSet()": "0xf36675c3",
};

const approvalProxyFunctions = {
  ...ownableFunctions,
  "_CALL3VALUE_TYPEHASH()": "0xcf641c61",
  "_RELAYER_WITNESS_TYPEHASH()": "0x8bd9105d",
  "_RELAYER_WITNESS_TYPE_STRING()": "0x3806a3cf",
};

const approvalProxyErrors = {
  ...ownableErrors,
  "ArrayLengthsMismatch()": "0x3b800a46",
  "NativeTransferFailed()": "0xf4b3b1bc",
  "RefundToCannotBeZeroAddress()": "0xfc62e08f",
  "SafeERC20FailedOperation(address)": "0x5274afe7",
};

const multicallerFunctions = { "aggregate(address[],bytes[],uint256[],address)": "0x991f255f" };
const multicallerErrors = { "ArrayLengthsMismatch()": "0x3b800a46" };

export const productionAbi: Readonly<Record<string, ProductionAbi>> = {
  Multicaller: { functions: multicallerFunctions, events: {}, errors: multicallerErrors },
  OnlyOwnerMulticaller: {
    functions: { ...multicallerFunctions, ...ownableFunctions },
    events: ownableEvents,
    errors: { ...multicallerErrors, ...ownableErrors },
  },
  RelayReceiver: {
    functions: { "forward(bytes)": "0xd948d468", "makeCalls((address,bytes,uint256)[])": "0xdd4ed837" },
    events: {
      "FundsForwardedWithData(bytes)": "0x936c2ca3b35d2d0b24057b0675c459e4515f48fe132d138e213ae59ffab7f53e",
    },
    errors: {
      "CallFailed()": "0x3204506f",
      "NativeTransferFailed()": "0xf4b3b1bc",
      "Unauthorized()": "0x82b42900",
    },
  },
  RelayDepository: {
    functions: {
      ...ownableFunctions,
      "_CALL_REQUEST_TYPEHASH()": "0xeae335b3",
      "_CALL_TYPEHASH()": "0xcf5905d7",
      "allocator()": "0xaa5dcecc",
      "callRequests(bytes32)": "0xd52bfcc8",
      "depositErc20(address,address,bytes32)": "0x5a1ee3ac",
      "depositErc20(address,address,uint256,bytes32)": "0xe8017952",
      "depositNative(address,bytes32)": "0x49290c1c",
      "eip712Domain()": "0x84b0196e",
      "execute(((address,bytes,uint256,bool)[],uint256,uint256),bytes)": "0x2d9fb478",
      "setAllocator(address)": "0xbf83f2a2",
    },
    events: {
      ...ownableEvents,
      "RelayCallExecuted(bytes32,(address,bytes,uint256,bool))":
        "0x4be109453ef7e895dc7215c929fff9b76b51483d56a4d04548b4866e9aa7c5ea",
      "RelayErc20Deposit(address,address,uint256,bytes32)":
        "0x49fed1d0b752ce30eee63c7a81133f3363b532fec5d4d7dd1ccfd005de4555e1",
      "RelayNativeDeposit(address,uint256,bytes32)":
        "0x8032066556caf3967d8fec4ad22a2d9e1e9576556b2903a0fcd5b1fd201e3477",
    },
    errors: {
      ...ownableErrors,
      "AddressCannotBeZero()": "0xe622e040",
      "CallFailed(bytes)": "0xa5fa8d2b",
      "CallRequestAlreadyUsed()": "0x49482b28",
      "CallRequestExpired()": "0x68b8a4da",
      "InvalidSignature()": "0x8baa579f",
    },
  },
  RelayRouterV3: {
    functions: {
      ...routerFunctions,
      "cleanupErc20s(address[],address[],uint256[],bytes)": "0x9bb43718",
      "cleanupNative(uint256,address,bytes)": "0xa6bd8c96",
      [`multicall(${CALLS},address,address,bytes)`]: "0xcd6e13f7",
    },
    events: { ...routerEvents, ...fundsMovement },
    errors: routerErrors,
  },
  RelayRouterV2_1: {
    functions: {
      ...routerFunctions,
      "cleanupErc20s(address[],address[],uint256[])": "0x3b2253c8",
      "cleanupNative(uint256,address)": "0x5de81e3f",
      [`multicall(${CALLS},address,address)`]: "0x30be5567",
    },
    events: routerEvents,
    errors: { ...routerErrors, "InvalidTarget(address)": "0xd08525e9" },
  },
  RelayApprovalProxyV3: {
    functions: {
      ...approvalProxyFunctions,
      [`permit2TransferAndMulticall(address,${PERMIT2_BATCH},${CALLS},address,address,bytes,bytes)`]:
        "0x0a2b8f36",
      [`permit3009TransferAndMulticall(${PERMITS_3009},address[],${CALLS},address,address,bytes)`]:
        "0xf80f00fb",
      [`permitTransferAndMulticall(${PERMITS_2612},${CALLS},address,address,bytes)`]: "0xfb68c293",
      [`transferAndMulticall(address[],uint256[],${CALLS},address,address,bytes)`]: "0xf9e4bab4",
      "withdraw(address)": "0x51cff8d9",
    },
    events: { ...ownableEvents, ...fundsMovement },
    errors: approvalProxyErrors,
  },
  RelayApprovalProxyV2_1: {
    functions: {
      ...approvalProxyFunctions,
      [`permit2TransferAndMulticall(address,${PERMIT2_BATCH},${CALLS},address,address,bytes)`]: "0x33739082",
      [`permit3009TransferAndMulticall(${PERMITS_3009},address[],${CALLS},address,address)`]: "0x3db628f3",
      [`permitTransferAndMulticall(${PERMITS_2612},${CALLS},address,address)`]: "0xa0a6ce7f",
      [`transferAndMulticall(address[],uint256[],${CALLS},address,address)`]: "0x30875056",
      "router()": "0xf887ea40",
      "setPermit2(address)": "0x101ec30a",
      "setRouter(address)": "0xc0d78655",
      "withdraw()": "0x3ccfd60b",
    },
    events: {
      ...ownableEvents,
      "Permit2Updated(address)": "0xaecfd826d6b270962e6ff81f57b75e8527073ef343cbb38af801b8a972c78461",
      "RouterUpdated(address)": "0x7aed1d3e8155a07ccf395e44ea3109a0e2d6c9b29bbbe9f142d9790596f4dc80",
    },
    errors: approvalProxyErrors,
  },
};
