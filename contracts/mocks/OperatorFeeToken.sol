// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title OperatorFeeToken
/// @notice Charges the caller of `transferFrom` the fee on top of the amount, up to its balance.
contract OperatorFeeToken is ERC20 {
    uint256 private _fee;

    constructor() ERC20("Operator fee", "OFEE") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setFee(uint256 fee) external {
        _fee = fee;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        uint256 held = balanceOf(msg.sender);
        _burn(msg.sender, _fee < held ? _fee : held);
        return true;
    }
}
