// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title IVm
/// @notice The cheatcodes of the test runner that the tests use, and no others.
interface IVm {
    /// @notice Signs a digest, with low `s`.
    /// @param privateKey the signer's key
    /// @param digest what to sign
    /// @return v the recovery id, 27 or 28
    /// @return r the first word of the signature
    /// @return s the second word of the signature
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);

    /// @notice The address of a key.
    /// @param privateKey the key
    /// @return account its address
    function addr(uint256 privateKey) external pure returns (address account);

    /// @notice Makes the next call come from another account.
    /// @param sender that account
    function prank(address sender) external;

    /// @notice Sets an account's native balance.
    /// @param account the account
    /// @param balance its balance from now on
    function deal(address account, uint256 balance) external;

    /// @notice Sets an account's code.
    /// @param account the account
    /// @param code its code from now on
    function etch(address account, bytes calldata code) external;

    /// @notice Sets the chain id.
    /// @param id the chain id from now on
    function chainId(uint256 id) external;

    /// @notice Demands that the next call reverts with exactly this data.
    /// @param revertData the data, selector included
    function expectRevert(bytes calldata revertData) external;

    /// @notice Rejects the inputs of this run of a fuzz test when the condition is false.
    /// @param condition what the inputs must fulfil
    function assume(bool condition) external pure;
}
