// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICheats} from "../../contracts/testing/ICheats.sol";

/// @notice The cheatcodes of Halmos that make symbolic values.
interface ISymbols {
    function createUint256(string calldata name) external returns (uint256 value);

    function createBytes(uint256 length, string calldata name) external returns (bytes memory data);

    function createCalldata(string calldata contractName) external returns (bytes memory data);

    function enableSymbolicStorage(address account) external;
}

/// @title Proof
/// @notice Base of the proofs. Halmos runs each `check_` function with symbolic arguments, over all paths; an `assert` must hold
/// for every argument. Its mutant is a fault of a contract that makes the proof fail.
abstract contract Proof {
    ICheats internal constant VM = ICheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    ISymbols internal constant SYMBOLS = ISymbols(0xF3993A62377BCd56AE39D773740A5390411E8BC9);

    address internal constant SOLVER = address(0x501);
    address internal constant PAYEE = address(0xAE1);
    address internal constant OWNER = address(0x0E1);

    /// @dev An account with the code of a deployed contract and any state: its constructor's state would be concrete.
    function _anyStateOf(address deployed) internal returns (address account) {
        account = address(uint160(deployed) << 8);
        VM.etch(account, deployed.code);
        SYMBOLS.enableSymbolicStorage(account);
    }

    function _ethereumMessage(bytes32 hash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", hash));
    }

    /// @dev Signer of a digest by the precompile, from the first 65 bytes, or the 64 of ERC-2098.
    function _signerOf(bytes32 digest, bytes memory signature) internal pure returns (address) {
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        if (signature.length != 64) return ecrecover(digest, uint8(signature[64]), r, s);
        return ecrecover(digest, uint8(27 + (uint256(s) >> 255)), r, (s << 1) >> 1);
    }

    /// @dev Calls as any account but the named ones, with any amount of native money.
    function _callAs(
        address sender,
        address target,
        uint256 value,
        bytes memory data
    ) internal returns (bool success) {
        VM.assume(sender != address(0) && sender != target && sender.code.length == 0);
        VM.deal(sender, value);
        VM.prank(sender);
        (success, ) = target.call{value: value}(data);
    }
}
