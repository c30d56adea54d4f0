// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// @title AwkwardAuthorizationToken
/// @notice A token with ERC-3009 authorizations. Tests can make it burn a part of every transfer, call back during one, or
/// accept authorizations without moving tokens. Signing domain: "Awkward", version "1".
/// @dev Calls back once per arming, ignores a failure of that call, and records the result.
contract AwkwardAuthorizationToken is ERC3009 {
    /// @notice Units burnt in every transfer.
    uint256 public fee;

    /// @notice Whether authorizations are accepted unchecked, as by a fallback function.
    bool public ignoresAuthorizations;

    /// @notice Number of callbacks.
    uint256 public fired;

    /// @notice Whether the last callback succeeded.
    bool public lastSuccess;

    /// @notice Return or revert data of the last callback.
    bytes public lastReturnData;

    address private _callbackTarget;
    bytes private _callbackData;

    constructor() ERC20("Awkward", "AWK") EIP712("Awkward", "1") {}

    /// @dev Accepts unknown calls such as a permit, like some wrapped native currencies.
    fallback() external {}

    /// @notice Sets the burnt fee.
    /// @param fee_ units of every transfer
    function setFee(uint256 fee_) external {
        fee = fee_;
    }

    /// @notice Sets whether authorizations are accepted unchecked.
    /// @param ignores whether checks are skipped
    function setIgnoresAuthorizations(bool ignores) external {
        ignoresAuthorizations = ignores;
    }

    /// @notice Sets the call of the next transfer.
    /// @param target the account that is called
    /// @param data the calldata
    function arm(address target, bytes calldata data) external {
        _callbackTarget = target;
        _callbackData = data;
    }

    /// @notice Makes new tokens; anyone may. No fee is taken and no callback is made.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC3009
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        if (ignoresAuthorizations) return;
        super.receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, v, r, s);
    }

    function _update(address from, address to, uint256 value) internal override {
        address target = _callbackTarget;
        if (target != address(0) && from != address(0)) {
            _callbackTarget = address(0);
            ++fired;
            (lastSuccess, lastReturnData) = target.call(_callbackData);
        }
        super._update(from, to, value);
        if (from != address(0) && to != address(0) && fee != 0) super._update(to, address(0), fee);
    }
}
